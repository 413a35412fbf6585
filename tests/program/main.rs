//! The program as users see it: commands, server, pages in a browser.

mod built;
mod ceteicean;
mod commands;
mod dts;
mod edits;
mod embed;
mod face;
mod figures;
mod folders;
mod languages;
mod layouts;
mod library;
mod manual;
mod mcp;
mod messages;
mod names;
mod packages;
mod pages;
mod passages;
mod published;
mod refusals;
mod review;
mod review_pages;
mod search;
mod search_page;
mod serve;
mod sheets;
mod side_by_side;
mod simplified;
#[path = "../support/mod.rs"]
mod support;
mod verify;
mod watch;
