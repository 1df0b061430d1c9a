//! Find the control groups of this process under Linux, of either version, and what memory they
//! leave it.

use std::fs::read_to_string;
use std::path::{Path, PathBuf};

/// The files of one version's memory controller.
struct Version {
    limit: &'static str,
    used: &'static str,
    /// In `memory.stat`: bytes of files that the kernel gives up before it ends a process.
    cached: &'static str,
    /// The file that counts the processes that the kernel has ended for lack of memory.
    events: &'static str,
}

const FIRST: Version = Version {
    limit: "memory.limit_in_bytes",
    used: "memory.usage_in_bytes",
    cached: "total_inactive_file",
    events: "memory.oom_control",
};
const SECOND: Version = Version {
    limit: "memory.max",
    used: "memory.current",
    cached: "inactive_file",
    events: "memory.events",
};

/// A group of this process that has a memory controller.
struct Group {
    version: &'static Version,
    /// Where its hierarchy is mounted. Above it nothing is seen.
    mounted: PathBuf,
    folder: PathBuf,
}

/// Bytes that the limits of all groups above this process leave it; `None` where no limit is seen.
pub fn memory_left() -> Option<u64> {
    groups().iter().filter_map(Group::left).min()
}

/// How many processes of the group of this process the kernel has ended for lack of memory; `None`
/// where it does not tell.
pub fn ended_for_memory() -> Option<u64> {
    groups().iter().filter_map(Group::ended).max()
}

fn groups() -> Vec<Group> {
    let read = |name: &str| read_to_string(format!("/proc/self/{name}")).unwrap_or_default();
    found(&read("cgroup"), &read("mountinfo"))
}

/// The groups in `/proc/self/cgroup`, where `/proc/self/mountinfo` says that they are mounted.
fn found(own: &str, mounts: &str) -> Vec<Group> {
    let one = |line: &str| {
        let mut parts = line.splitn(3, ':');
        let (number, controllers, path) = (parts.next()?, parts.next()?, parts.next()?);
        let is_second = number == "0" && controllers.is_empty();
        if !is_second && !controllers.split(',').any(|name| name == "memory") {
            return None;
        }
        let (root, mounted) = mounts.lines().find_map(|line| mount(line, is_second))?;
        // In a namespace the root of the mount may be a group itself. A path that is not below it
        // leads nowhere: the mount is then the group.
        let below =
            Path::new(path).strip_prefix(&root).or_else(|_| Path::new(path).strip_prefix("/"));
        let inner = mounted.join(below.unwrap_or(Path::new("")));
        let is_inside = !Path::new(path).components().any(|part| part.as_os_str() == "..");
        let folder = if is_inside && inner.is_dir() { inner } else { mounted.clone() };
        Some(Group { version: if is_second { &SECOND } else { &FIRST }, mounted, folder })
    };
    own.lines().filter_map(one).collect()
}

/// Root and place of a mount of control groups: of the second version, or of the first one's memory
/// controller.
fn mount(line: &str, is_second: bool) -> Option<(PathBuf, PathBuf)> {
    let (before, after) = line.split_once(" - ")?;
    let mut before = before.split(' ').skip(3);
    let (root, mounted) = (before.next()?, before.next()?);
    let mut after = after.split(' ');
    let is_it = match after.next()? {
        "cgroup2" => is_second,
        "cgroup" => !is_second && after.nth(1)?.split(',').any(|option| option == "memory"),
        _ => false,
    };
    is_it.then(|| (root.into(), mounted.into()))
}

impl Group {
    /// It and the groups above it, as far as they are seen.
    fn all(&self) -> impl Iterator<Item = &Path> {
        self.folder.ancestors().take_while(|folder| folder.starts_with(&self.mounted))
    }

    /// The least that a limit leaves.
    fn left(&self) -> Option<u64> {
        let of = |folder: &Path| {
            let most = number(&folder.join(self.version.limit))?;
            let used = number(&folder.join(self.version.used)).unwrap_or(0);
            let cached = field(&folder.join("memory.stat"), self.version.cached).unwrap_or(0);
            Some(most.saturating_sub(used.saturating_sub(cached)))
        };
        self.all().filter_map(of).min()
    }

    fn ended(&self) -> Option<u64> {
        field(&self.folder.join(self.version.events), "oom_kill")
    }
}

/// The number in a file; `None` for other words, such as `max`.
fn number(path: &Path) -> Option<u64> {
    read_to_string(path).ok()?.trim().parse().ok()
}

/// The number behind a name in a file of such lines.
fn field(path: &Path, name: &str) -> Option<u64> {
    let text = read_to_string(path).ok()?;
    text.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(' ')?.trim().parse().ok())
}

#[cfg(test)]
mod tests {
    use std::fs;

    use super::*;

    /// A folder with these files below it.
    fn with(files: &[(&str, &str)]) -> tempfile::TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            fs::create_dir_all(path.parent().unwrap()).unwrap();
            fs::write(path, text).unwrap();
        }
        folder
    }

    fn left(own: &str, mounts: &str) -> Option<u64> {
        found(own, mounts).iter().filter_map(Group::left).min()
    }

    #[test]
    fn the_limit_of_a_slice_of_version_2_is_seen_without_a_namespace() {
        let folder = with(&[
            ("slice/memory.max", "1000\n"),
            ("slice/memory.current", "700\n"),
            ("slice/memory.stat", "anon 1\ninactive_file 100\n"),
            ("slice/job/memory.max", "max\n"),
            ("slice/job/memory.current", "300\n"),
            ("slice/job/memory.events", "oom 3\noom_kill 2\n"),
        ]);
        let at = folder.path().display();
        let mounts = format!(
            "22 1 0:1 / /proc rw - proc proc rw\n30 1 0:26 / {at} rw shared:4 - cgroup2 cgroup2 \
             rw\n"
        );
        assert_eq!(left("0::/slice/job\n", &mounts), Some(400));
        assert_eq!(
            left("0::/slice/other\n", &mounts),
            None,
            "a group that is not mounted, and a root without a limit"
        );
        assert_eq!(found("0::/slice/job\n", &mounts)[0].ended(), Some(2));
        // In a namespace the process's own group is the root of the mount.
        let at = folder.path().join("slice");
        let mounts = format!("30 1 0:26 / {} rw - cgroup2 cgroup2 rw\n", at.display());
        assert_eq!(left("0::/\n", &mounts), Some(400));
    }

    #[test]
    fn the_limit_of_a_group_of_version_1_is_seen() {
        let folder = with(&[
            ("batch/memory.limit_in_bytes", "419430400\n"),
            ("batch/memory.usage_in_bytes", "19430400\n"),
            ("batch/memory.oom_control", "oom_kill_disable 0\nunder_oom 0\noom_kill 1\n"),
            ("memory.limit_in_bytes", "9223372036854771712\n"),
            ("memory.usage_in_bytes", "5000000000\n"),
        ]);
        let at = folder.path().display();
        let mounts = format!(
            "30 1 0:26 / /sys/fs/cgroup/unified rw - cgroup2 cgroup2 rw\n\
             31 1 0:27 / /sys/fs/cgroup/cpu rw - cgroup cgroup rw,cpu,cpuacct\n\
             32 1 0:28 / {at} rw,nosuid - cgroup cgroup rw,memory\n"
        );
        let own = "9:cpu,cpuacct:/batch\n5:memory:/batch\n1:name=systemd:/batch\n0::/batch\n";
        assert_eq!(left(own, &mounts), Some(400_000_000));
        assert_eq!(found(own, &mounts).iter().filter_map(Group::ended).max(), Some(1));
        // A container sees its own group as the root of the mount, and its path from the host.
        let inside = mounts
            .replace("0:28 / ", "0:28 /batch ")
            .replace(&at.to_string(), &format!("{at}/batch"));
        assert_eq!(left(own, &inside), Some(400_000_000));
        assert_eq!(left("", &mounts), None);
        assert_eq!(
            left("5:memory:/../..\n", &mounts),
            Some(9_223_372_036_854_771_712 - 5_000_000_000)
        );
    }
}
