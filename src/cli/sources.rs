//! The options that say where data come from, shared by all subcommands.

use std::path::PathBuf;

use clap::Args;

use crate::data::{Library, NetworkOptions, SourceOptions};

/// Where data come from.
#[derive(Args, Clone, Debug, Default)]
pub struct SourceArgs {
    /// Never open a network connection.
    #[arg(long, global = true)]
    pub offline: bool,
    /// Look for data files as KEY/FILE below this folder or http(s) address before asking their homes.
    #[arg(long, global = true, value_name = "DIR|URL", env = "UQBENCH_MIRROR")]
    pub mirror: Option<String>,
    /// Keep fetched data files in this folder instead of the platform's cache folder.
    #[arg(long, global = true, value_name = "DIR")]
    pub cache: Option<PathBuf>,
}

impl SourceArgs {
    /// A library that looks where these options say.
    pub fn open_library(&self) -> Library {
        Library::new(SourceOptions {
            cache: self.cache.clone(),
            mirror: self.mirror.clone().filter(|mirror| !mirror.is_empty()),
            offline: self.offline,
            progress: true,
            network: NetworkOptions::default(),
        })
    }

    /// The same options for a child process, typed out.
    pub fn as_arguments(&self) -> Vec<String> {
        let mut arguments = Vec::new();
        if self.offline {
            arguments.push("--offline".to_owned());
        }
        if let Some(mirror) = &self.mirror {
            arguments.extend(["--mirror".to_owned(), mirror.clone()]);
        }
        if let Some(cache) = &self.cache {
            arguments.extend(["--cache".to_owned(), cache.display().to_string()]);
        }
        arguments
    }
}
