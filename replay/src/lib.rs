//! What `sinew-replay` does with a recording: a report, a page of its frames, a shorter recording.

mod page;
mod reduce;
mod report;

pub use page::{PAGE_FRAMES, page};
pub use reduce::reduce;
pub use report::{Report, report};
