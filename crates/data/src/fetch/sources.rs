//! Try a file's sources in order, and record why each of them failed.

use std::io::{self, BufReader, ErrorKind};
use std::path::{Path, PathBuf};

use super::cache::{Cache, LARGEST_FILE};
use super::network::{Download, Network};
use super::{Origin, SourceOptions};
use crate::archive::{gunzip, member, zip_member};
use crate::error::{Attempt, DataError, NoFile};
use crate::manifest::{DataFile, Dataset};
use uq_core::printable::printable;
use uqbench_system::disk::{open_regular, read_regular};
use uqbench_system::hash::sha256;

/// The sources other than the cache and the bundled files.
pub(super) struct Sources {
    mirror: Option<String>,
    /// `None` when offline, so that no socket can be opened.
    network: Option<Network>,
}

/// A file's verified bytes.
pub(super) struct Found {
    pub bytes: Vec<u8>,
    pub origin: Origin,
    pub not_cached: Option<DataError>,
}

/// The sources that were tried for one file.
struct Search<'a> {
    dataset: &'a Dataset,
    file: &'a DataFile,
    tried: Vec<Attempt>,
    /// The first error that is worse than an unavailable file.
    wrong: Option<DataError>,
}

impl Sources {
    pub fn new(options: &SourceOptions) -> Self {
        let network =
            (!options.offline).then(|| Network::new(options.network.clone(), options.progress));
        Self { mirror: options.mirror.clone(), network }
    }

    /// The bytes at an address.
    ///
    /// # Errors
    /// Why they could not be fetched.
    pub fn get(&self, address: &str) -> Result<Vec<u8>, String> {
        let network = self.network.as_ref().ok_or("network connections are forbidden")?;
        Ok(network.get(address)?.bytes)
    }

    /// The bytes of a file from the cache; otherwise, if `ask_others`, from the mirror or the home,
    /// which are then cached.
    pub fn file(
        &self,
        cache: &Cache,
        dataset: &Dataset,
        file: &DataFile,
        ask_others: bool,
    ) -> Result<Found, DataError> {
        let mut search = Search { dataset, file, tried: Vec::new(), wrong: None };
        if let Some(found) = search.cached(cache) {
            return Ok(found);
        }
        if !ask_others {
            return Err(search.failed());
        }
        let _lock = cache.lock(dataset.folder());
        // Another process may have fetched it meanwhile, so the cache is read again. An error of
        // the first attempt occurs again.
        search = Search { dataset, file, tried: Vec::new(), wrong: None };
        if let Some(found) = search.cached(cache) {
            return Ok(found);
        }
        let fetched = match self.ask_mirror(&mut search) {
            Some(fetched) => Some(fetched),
            None => self.ask_home(&mut search),
        };
        let Some((bytes, origin)) = fetched else { return Err(search.failed()) };
        let not_cached =
            cache.write(dataset.folder(), &file.name, &bytes, &origin.to_string()).err();
        Ok(Found { bytes, origin, not_cached })
    }

    fn ask_mirror(&self, search: &mut Search<'_>) -> Option<(Vec<u8>, Origin)> {
        let mirror = self.mirror.as_deref()?;
        let (folder, name) = (search.dataset.folder(), search.file.name.as_str());
        if mirror.starts_with("http://") || mirror.starts_with("https://") {
            let url = format!("{}/{folder}/{name}", mirror.trim_end_matches('/'));
            let download = self.download(&url, search)?;
            let bytes = search.verified(download.bytes, &url, &download.content_type)?;
            return Some((bytes, Origin::Mirror(url)));
        }
        let mirror = Path::new(mirror);
        let path = mirror.join(folder).join(name);
        if mirror.is_file() {
            return search.ask_pack(mirror, &path);
        }
        let shown = path.display().to_string();
        match read_regular(&path, LARGEST_FILE) {
            Ok(bytes) => {
                if let Some(bytes) = search.verified(bytes, &shown, "") {
                    return Some((bytes, Origin::Mirror(shown)));
                }
                search.ask_compressed(&path)
            }
            Err(error) if error.kind() == ErrorKind::NotFound => {
                let found = search.ask_compressed(&path);
                // Whoever has neither of both is to know the name of the file.
                found.or_else(|| search.gave_nothing(&shown, error.to_string()))
            }
            Err(error) => search.gave_nothing(&shown, error.to_string()),
        }
    }

    fn ask_home(&self, search: &mut Search<'_>) -> Option<(Vec<u8>, Origin)> {
        if search.file.sources.is_empty() {
            return search.gave_nothing("home", "this file has no address of its own");
        }
        for source in &search.file.sources {
            let Some(download) = self.download(&source.url, search) else { continue };
            let Download { bytes, content_type } = download;
            let bytes = match &source.member {
                None => bytes,
                Some(_) if looks_like_html(&bytes) => {
                    search.note(&source.url, html_reason(&bytes, &content_type));
                    continue;
                }
                Some((kind, name)) => {
                    match member(*kind, &bytes, name, search.file.bytes, "the archive") {
                        Ok(bytes) => bytes,
                        // An absent member is not a wrong file, because hosts rename and repack
                        // their files.
                        Err(error) => {
                            search.note(&source.url, error.to_string());
                            continue;
                        }
                    }
                }
            };
            if let Some(bytes) = search.verified(bytes, &source.url, &content_type) {
                return Some((bytes, Origin::Home(source.url.clone())));
            }
        }
        None
    }

    fn download(&self, url: &str, search: &mut Search<'_>) -> Option<Download> {
        let Some(network) = &self.network else {
            return search.gave_nothing(url, NoFile::Offline);
        };
        match network.get(url) {
            Ok(download) => Some(download),
            Err(reason) => search.gave_nothing(url, reason),
        }
    }
}

impl Search<'_> {
    fn cached(&mut self, cache: &Cache) -> Option<Found> {
        let folder = self.dataset.folder();
        let path = cache.path(folder, &self.file.name).display().to_string();
        match cache.read(folder, &self.file.name) {
            Ok(Some(bytes)) => {
                let bytes = self.verified(bytes, &path, "")?;
                let origin = Origin::Cache(cache.origin(folder, &self.file.name));
                Some(Found { bytes, origin, not_cached: None })
            }
            Ok(None) => self.gave_nothing(&path, "not cached"),
            Err(error) => self.gave_nothing(&path, error.to_string()),
        }
    }

    /// The bytes of a file of a mirror that gzip has compressed, if there is such a file beside or
    /// in place of this one.
    fn ask_compressed(&mut self, path: &Path) -> Option<(Vec<u8>, Origin)> {
        let mut name = path.as_os_str().to_owned();
        name.push(".gz");
        let path = PathBuf::from(name);
        let shown = path.display().to_string();
        match read_regular(&path, LARGEST_FILE) {
            Ok(packed) => self.unpacked(gunzip(&packed, self.file.bytes, &shown), shown),
            Err(error) if error.kind() == ErrorKind::NotFound => None,
            Err(error) => self.gave_nothing(&shown, error.to_string()),
        }
    }

    /// The bytes of a member of a data pack, a zip file.
    fn ask_pack(&mut self, pack: &Path, path: &Path) -> Option<(Vec<u8>, Origin)> {
        let name = format!("{}/{}", self.dataset.folder(), self.file.name);
        let (label, size) = (pack.display().to_string(), self.file.bytes);
        let opened = open_regular(pack, LARGEST_FILE)
            .and_then(|zip| io::Result::Ok((zip.metadata()?.len(), zip)));
        match opened {
            Ok((length, zip)) => {
                let found = zip_member(BufReader::new(zip), length, &name, size, &label);
                self.unpacked(found, path.display().to_string())
            }
            Err(error) => self.gave_nothing(&label, error.to_string()),
        }
    }

    /// What was unpacked, if it is the pinned file.
    fn unpacked(
        &mut self,
        found: Result<Vec<u8>, DataError>,
        shown: String,
    ) -> Option<(Vec<u8>, Origin)> {
        match found {
            Ok(bytes) => {
                let bytes = self.verified(bytes, &shown, "")?;
                Some((bytes, Origin::Mirror(shown)))
            }
            Err(error) => self.gave_nothing(&shown, error.to_string()),
        }
    }

    /// The bytes, if they are the pinned ones.
    fn verified(&mut self, bytes: Vec<u8>, origin: &str, content_type: &str) -> Option<Vec<u8>> {
        let found = sha256(&bytes);
        if found == self.file.sha256 {
            return Some(bytes);
        }
        if looks_like_html(&bytes) {
            return self.gave_nothing(origin, html_reason(&bytes, content_type));
        }
        self.wrong.get_or_insert(DataError::HashMismatch {
            key: self.dataset.key.clone(),
            what: self.file.name.clone(),
            origin: printable(origin, 200),
            expected: self.file.sha256.clone(),
            found,
        });
        self.gave_nothing(origin, "other bytes than the pinned ones")
    }

    fn note(&mut self, source: &str, reason: impl Into<NoFile>) {
        self.tried.push(Attempt { source: printable(source, 200), reason: reason.into() });
    }

    fn gave_nothing<T>(&mut self, source: &str, reason: impl Into<NoFile>) -> Option<T> {
        self.note(source, reason);
        None
    }

    fn failed(self) -> DataError {
        self.wrong.unwrap_or_else(|| DataError::Unavailable {
            key: self.dataset.key.clone(),
            file: self.file.name.clone(),
            tried: self.tried,
        })
    }
}

fn looks_like_html(bytes: &[u8]) -> bool {
    let start =
        String::from_utf8_lossy(&bytes[..bytes.len().min(256)]).trim_start().to_ascii_lowercase();
    start.starts_with("<!doctype html") || start.starts_with("<html")
}

fn html_reason(bytes: &[u8], content_type: &str) -> String {
    let start = printable(&String::from_utf8_lossy(&bytes[..bytes.len().min(120)]), 80);
    format!("a web page instead of data (content type \"{content_type}\", it starts \"{start}\")")
}
