//! The entries of a log.

/// What a [`Part`] of a call is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Tag {
    /// Bytes that an argument leads to.
    Data = 1,
    /// Bytes that a pointer in such bytes leads to; the index states which.
    Member = 2,
    /// The handle that an argument received.
    Handle = 3,
    /// What the host's callbacks answered, in order.
    Answers = 4,
    /// Why the call was refused as a whole. It is not run again.
    Error = 5,
    /// The animation of a row; the index is the row. One byte where the host's address of it was
    /// none: its low four bits.
    Row = 6,
    /// A piece of what the call has written: where there are such parts, in place of its hash. The
    /// index is 0.
    Written = 7,
    /// What the function of a task answered, in order; the index is the number of the task.
    Rows = 8,
}

impl Tag {
    pub(super) fn from_byte(byte: u8) -> Option<Self> {
        [Self::Data, Self::Member, Self::Handle, Self::Answers, Self::Error, Self::Row, Self::Written, Self::Rows]
            .into_iter()
            .find(|tag| *tag as u8 == byte)
    }
}

/// Data of a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Part<'a> {
    /// What it is.
    pub tag: Tag,
    /// Which argument it belongs to.
    pub argument: u8,
    /// Which of several.
    pub index: u32,
    /// The data.
    pub bytes: &'a [u8],
}

/// A call.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Call<'a> {
    /// Number of the function in this log.
    pub function: u16,
    /// The code that it returned.
    pub result: i32,
    /// Hash of what it wrote; 0: none.
    pub hash: u64,
    /// Its arguments. A pointer is 0 when it was NULL, else 16 and the low four bits of the
    /// address.
    pub words: Vec<u64>,
    /// What belongs to them.
    pub parts: Vec<Part<'a>>,
}

/// One entry of a log.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Entry<'a> {
    /// The name of a function, before its first call.
    Name {
        /// Number of the function in this log.
        function: u16,
        /// Its name.
        name: &'a str,
    },
    /// What the host has written to a pose buffer.
    Pose {
        /// Handle of the animator.
        animator: u64,
        /// The whole buffer.
        pose: &'a [u8],
    },
    /// What the host has written to the pose arrays of a world.
    Arrays {
        /// Handle of the world.
        world: u64,
        /// Handle of the animator.
        animator: u64,
        /// Seven numbers for each joint.
        locals: &'a [u8],
    },
    /// A call.
    Call(Call<'a>),
    /// The end of the recording.
    End {
        /// The code that stopped it, or 0.
        code: i32,
    },
}
