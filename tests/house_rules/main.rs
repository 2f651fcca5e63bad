//! Rules of the tree itself: layers, text, generated files, links, the Unity package.

mod docs;
mod generated;
mod prose;
mod room_order;
mod source_graph;
mod unity_package;
