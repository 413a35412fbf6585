//! Options of formats with pages: the paper and the room of marks.

use crate::writers::editions::{MarkWidth, Paper};

#[derive(clap::Args)]
pub struct PageOptions {
    /// Paper, where there are pages; 16k is 185 × 260 mm [default: a5, for docx and odt a4]
    #[arg(long, value_name = "SIZE", value_parser = ["a4", "a5", "b5", "16k"])]
    pub paper: Option<String>,
    /// Marks of punctuation, where there are pages
    #[arg(long, value_name = "WIDTH", value_enum)]
    pub marks: Option<WidthOfMarks>,
}

#[derive(Clone, Copy, clap::ValueEnum)]
pub enum WidthOfMarks {
    /// A square, less beside another mark and at the end of a line; so it is by default
    Full,
    /// Half a square
    Half,
    /// A square, and at the end of a line in the margin
    Hanging,
}

impl PageOptions {
    pub fn paper(&self) -> Option<Paper> {
        let named = Paper::ALL.into_iter().find(|(name, _)| self.paper.as_deref() == Some(*name));
        named.map(|(_, paper)| paper)
    }

    pub fn marks(&self) -> MarkWidth {
        self.marks.map_or(MarkWidth::default(), |marks| match marks {
            WidthOfMarks::Full => MarkWidth::Full,
            WidthOfMarks::Half => MarkWidth::Half,
            WidthOfMarks::Hanging => MarkWidth::Hanging,
        })
    }
}
