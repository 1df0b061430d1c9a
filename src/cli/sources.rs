//! The options for the sources of data, shared by all subcommands.

use std::ffi::{OsStr, OsString};
use std::path::PathBuf;
use std::time::Duration;

use clap::Args;

use uq_core::CancelToken;
use uqbench_data::{Library, NetworkOptions, SourceOptions};

/// The sources of data.
#[derive(Args, Clone, Debug, Default)]
pub struct SourceArgs {
    /// Never open a network connection.
    #[arg(long, global = true)]
    pub offline: bool,
    /// Folder, zip file or http(s) address with data files as KEY/FILE, which is tried before their
    /// home addresses.
    #[arg(long, global = true, value_name = "DIR|FILE|URL", env = "UQBENCH_MIRROR")]
    pub mirror: Option<String>,
    /// Keep fetched data files in this folder instead of the platform's cache folder.
    #[arg(long, global = true, value_name = "DIR")]
    pub cache: Option<PathBuf>,
}

impl SourceArgs {
    /// A library with these sources.
    pub fn open_library(&self) -> Library {
        self.open_library_until(&CancelToken::default(), None)
    }

    /// A library whose downloads stop when `cancel` is set, and take at most `most` each.
    pub fn open_library_until(&self, cancel: &CancelToken, most: Option<Duration>) -> Library {
        Library::new(SourceOptions {
            cache: self.cache.clone(),
            mirror: self.mirror.clone().filter(|mirror| !mirror.is_empty()),
            offline: self.offline,
            progress: true,
            network: NetworkOptions { cancel: cancel.clone(), most, ..NetworkOptions::default() },
        })
    }

    /// The bytes at an address.
    ///
    /// # Errors
    /// Why they could not be fetched.
    pub fn download(&self, address: &str) -> Result<Vec<u8>, String> {
        if self.offline {
            return Err("--offline forbids network connections".into());
        }
        self.open_library().download(address)
    }

    /// The same options for a child process, each as one argument, because a value may begin with a
    /// hyphen and may not be UTF-8.
    pub fn as_arguments(&self) -> Vec<OsString> {
        let word = |option: &str, value: &OsStr| {
            let mut word = OsString::from(option);
            word.push(value);
            word
        };
        let mut arguments = Vec::new();
        if self.offline {
            arguments.push("--offline".into());
        }
        arguments.extend(self.mirror.as_ref().map(|mirror| word("--mirror=", OsStr::new(mirror))));
        arguments.extend(self.cache.as_ref().map(|cache| word("--cache=", cache.as_os_str())));
        arguments
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    #[cfg(unix)]
    fn a_child_gets_the_very_folder() {
        use std::os::unix::ffi::OsStringExt;
        for bytes in [b"-x".to_vec(), b"caf\xe9".to_vec(), b"a b".to_vec()] {
            let cache = OsString::from_vec(bytes);
            let sources = SourceArgs {
                offline: true,
                mirror: Some("-m".into()),
                cache: Some(cache.clone().into()),
            };
            let words = sources.as_arguments();
            let mut expected = OsString::from("--cache=");
            expected.push(cache);
            assert_eq!(words, [OsString::from("--offline"), "--mirror=-m".into(), expected]);
        }
    }
}
