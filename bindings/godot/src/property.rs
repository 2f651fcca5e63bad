//! Property types that note their changes, so that a frame need not look for them.

use crate::calls::Mark;
use crate::convert;
use godot::builtin::{
    Array, Callable, GString, NodePath, PackedFloat32Array, PackedInt32Array, PackedStringArray, PackedVector3Array,
    Quaternion, Vector3,
};
use godot::classes::{Node, Node3D};
use godot::meta::shape::GodotShape;
use godot::meta::{Element, GodotConvert};
use godot::obj::{Gd, GodotClass, InstanceId};
use godot::register::property::{Export, Var};
use sinew::math::{Quat, Vec3};
use std::ops::Deref;
use std::sync::atomic::{AtomicU64, Ordering};

/// Whether a value that is set is the one that is there, so that nothing has to be set up again:
/// animations set every property of theirs in every frame.
pub trait Same {
    /// `false` for values whose content may have changed: objects, arrays.
    fn is_same(&self, _other: &Self) -> bool {
        false
    }
}
/// Numbers by their bits: NaN is NaN.
impl Same for f32 {
    fn is_same(&self, other: &Self) -> bool {
        self.to_bits() == other.to_bits()
    }
}
macro_rules! same_when_equal {
    ($($type:ty),*) => {
        $(impl Same for $type {
            fn is_same(&self, other: &Self) -> bool {
                self == other
            }
        })*
    };
}
same_when_equal!(
    i32,
    bool,
    GString,
    NodePath,
    Quaternion,
    Vector3,
    PackedFloat32Array,
    PackedInt32Array,
    PackedStringArray,
    PackedVector3Array
);
impl<T: GodotClass> Same for Option<Gd<T>> {}
impl<T: Element> Same for Array<T> {}
impl Same for Callable {}
impl Same for TargetPath {}

/// A property on which the node's set-up depends: records that it was set to another value.
#[derive(Clone, Debug)]
pub struct Setup<T> {
    value: T,
    changed: bool,
}

impl<T> Setup<T> {
    /// A value not yet taken into account.
    pub fn new(value: T) -> Self {
        Self { value, changed: true }
    }
    /// Sets it.
    pub fn put(&mut self, value: T) {
        *self = Self::new(value);
    }
    /// Whether it was set to another value since the last call.
    #[inline]
    pub fn take_changed(&mut self) -> bool {
        core::mem::take(&mut self.changed)
    }
}
impl<T: Default> Default for Setup<T> {
    fn default() -> Self {
        Self::new(T::default())
    }
}
impl<T> Deref for Setup<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.value
    }
}
impl<T: GodotConvert> GodotConvert for Setup<T> {
    type Via = T::Via;
    fn godot_shape() -> GodotShape {
        T::godot_shape()
    }
}
impl<T: Var + Same + Clone> Var for Setup<T> {
    type PubType = T::PubType;
    fn var_get(field: &Self) -> Self::Via {
        T::var_get(&field.value)
    }
    fn var_set(field: &mut Self, value: Self::Via) {
        let before = field.value.clone();
        T::var_set(&mut field.value, value);
        field.changed |= !field.value.is_same(&before);
    }
    fn var_pub_get(field: &Self) -> Self::PubType {
        T::var_pub_get(&field.value)
    }
    fn var_pub_set(field: &mut Self, value: Self::PubType) {
        T::var_pub_set(&mut field.value, value);
        field.changed = true;
    }
}
impl<T: Export + Same + Clone> Export for Setup<T> {}

/// Physics layers, one per bit. Scripts may set a negative number, such as `~(1 << 3)`, as for the
/// engine's own masks: its lower 32 bits count.
#[derive(Clone, Copy, Debug, Default)]
pub struct Layers(pub u32);

impl GodotConvert for Layers {
    type Via = i64;
    fn godot_shape() -> GodotShape {
        i64::godot_shape()
    }
}
impl Var for Layers {
    type PubType = i64;
    fn var_get(field: &Self) -> i64 {
        i64::from(field.0)
    }
    fn var_set(field: &mut Self, value: i64) {
        field.0 = value as u32;
    }
    fn var_pub_get(field: &Self) -> i64 {
        Self::var_get(field)
    }
    fn var_pub_set(field: &mut Self, value: i64) {
        Self::var_set(field, value);
    }
}
impl Export for Layers {}

/// Counts every change of a [`Shared`] property of any resource.
static REVISION: AtomicU64 = AtomicU64::new(1);

/// Changes whenever a resource's [`Shared`] property was set; one load to read.
#[inline]
pub fn shared_revision() -> u64 {
    REVISION.load(Ordering::Relaxed)
}

/// A property of a resource that several nodes may use: setting it to another value moves
/// [`shared_revision`].
#[derive(Clone, Debug, Default)]
pub struct Shared<T>(pub T);

impl<T> Shared<T> {
    /// Sets it.
    pub fn put(&mut self, value: T) {
        self.0 = value;
        REVISION.fetch_add(1, Ordering::Relaxed);
    }
}

impl<T> Deref for Shared<T> {
    type Target = T;
    fn deref(&self) -> &T {
        &self.0
    }
}
impl<T: GodotConvert> GodotConvert for Shared<T> {
    type Via = T::Via;
    fn godot_shape() -> GodotShape {
        T::godot_shape()
    }
}
impl<T: Var + Same + Clone> Var for Shared<T> {
    type PubType = T::PubType;
    fn var_get(field: &Self) -> Self::Via {
        T::var_get(&field.0)
    }
    fn var_set(field: &mut Self, value: Self::Via) {
        let before = field.0.clone();
        T::var_set(&mut field.0, value);
        if !field.0.is_same(&before) {
            REVISION.fetch_add(1, Ordering::Relaxed);
        }
    }
    fn var_pub_get(field: &Self) -> Self::PubType {
        T::var_pub_get(&field.0)
    }
    fn var_pub_set(field: &mut Self, value: Self::PubType) {
        T::var_pub_set(&mut field.0, value);
        REVISION.fetch_add(1, Ordering::Relaxed);
    }
}
impl<T: Export + Same + Clone> Export for Shared<T> {}

/// A `Node3D` given by its path, found once and kept as its instance id, so that a freed node is
/// detected and never accessed.
#[derive(Clone, Debug, Default)]
pub struct TargetPath {
    path: NodePath,
    is_set: bool,
    found: Option<InstanceId>,
    /// Updates since the path was looked up.
    age: u8,
}

impl TargetPath {
    /// The node at a path.
    pub fn of(path: NodePath) -> Self {
        Self { is_set: !path.is_empty(), path, found: None, age: 0 }
    }
    /// Whether there is a path, right or wrong.
    #[inline]
    pub fn is_set(&self) -> bool {
        self.is_set
    }
    /// Clears the cached node: the path may have changed.
    pub fn forget(&mut self) {
        self.found = None;
    }
    /// The node found before, while it lives and is in the tree.
    #[inline]
    pub fn kept(&self) -> Option<Mark> {
        self.found.and_then(Mark::of)
    }
    /// [`Self::kept`] in an update. Now and then none, so that the path is looked up again: the
    /// node may have been renamed, and another one be there.
    #[inline]
    pub fn kept_a_while(&mut self) -> Option<Mark> {
        /// Updates between two look-ups; one costs as much as two dozen engine calls.
        const KEPT: u8 = 32;
        self.age += 1;
        if self.age >= KEPT {
            self.age = 0;
            return None;
        }
        self.kept()
    }
    /// Looks the path up. A node found before counts on while it leads nowhere: it may have been
    /// given another parent.
    #[cold]
    pub fn find_again(&self, from: &Node) -> Option<Mark> {
        self.find(from).or_else(|| self.kept())
    }
    /// Looks the path up.
    pub fn find(&self, from: &Node) -> Option<Mark> {
        if !self.is_set || !from.is_inside_tree() {
            return None;
        }
        Mark::of(from.try_get_node_as::<Node3D>(&self.path)?.instance_id())
    }
    /// Looks up the node without caching it.
    pub fn seen(&self, from: &Node) -> Option<Mark> {
        self.kept().or_else(|| self.find(from))
    }
    /// Error text for the path. `instead`, for a path that has to be set, names what else would do.
    pub fn problem(&self, name: &str, instead: Option<&str>, from: &Node) -> Option<String> {
        if self.is_set() {
            let text = || format!("The path of {name} leads to no Node3D in the scene.");
            return self.seen(from).is_none().then(text);
        }
        instead.map(|instead| format!("Set {name} to a Node3D of the scene (or {instead})."))
    }
    /// Caches the node.
    pub fn keep(&mut self, node: Option<Mark>) {
        self.found = node.map(Mark::id);
    }
}

/// Nodes given by a list of paths.
#[derive(Clone, Debug, Default)]
pub struct TargetPaths {
    paths: Array<NodePath>,
    targets: Vec<TargetPath>,
}

impl TargetPaths {
    /// The nodes at some paths.
    pub fn of(paths: Array<NodePath>) -> Self {
        Self { targets: paths.iter_shared().map(TargetPath::of).collect(), paths }
    }
    /// Number of paths.
    pub fn len(&self) -> usize {
        self.targets.len()
    }
    /// The paths one by one.
    pub fn iter(&self) -> impl Iterator<Item = &TargetPath> {
        self.targets.iter()
    }
    /// Clears the cached nodes.
    pub fn forget(&mut self) {
        self.targets.iter_mut().for_each(TargetPath::forget);
    }
    /// The node of the path of this number, looked for again while there is none.
    pub fn node(&mut self, number: usize, from: &Node) -> Option<Mark> {
        let target = self.targets.get_mut(number)?;
        if let Some(node) = target.kept_a_while() {
            return Some(node);
        }
        let node = target.find_again(from);
        target.keep(node);
        node
    }
}
impl GodotConvert for TargetPaths {
    type Via = Array<NodePath>;
    fn godot_shape() -> GodotShape {
        Array::<NodePath>::godot_shape()
    }
}
impl Var for TargetPaths {
    type PubType = Array<NodePath>;
    fn var_get(field: &Self) -> Array<NodePath> {
        field.paths.clone()
    }
    fn var_set(field: &mut Self, value: Array<NodePath>) {
        *field = Self::of(value);
    }
    fn var_pub_get(field: &Self) -> Array<NodePath> {
        Self::var_get(field)
    }
    fn var_pub_set(field: &mut Self, value: Array<NodePath>) {
        Self::var_set(field, value);
    }
}
impl Export for TargetPaths {}

/// The node of a [`TargetPath`] field of `$node`, looked for again while there is none; `None` when
/// no path is set, or nothing of the scene is there.
macro_rules! target_node {
    ($node:ident . $field:ident) => {
        match $node.$field.kept_a_while() {
            Some(found) => Some(found),
            None if !$node.$field.is_set() => None,
            None => {
                let found = $node.$field.find_again(&$node.base());
                $node.$field.keep(found);
                found
            }
        }
    };
}
pub(crate) use target_node;

/// A node's position in the world.
#[inline]
pub fn position_of(node: Mark) -> Vec3 {
    convert::vec3(node.global_position())
}
/// A node's position and rotation in the world.
#[inline]
pub fn placement_of(node: Mark) -> (Vec3, Quat) {
    let global = node.global_transform();
    (convert::vec3(global.origin), convert::rotation(&global.basis))
}
/// A node's position and rotation below its parent.
#[cold]
pub fn placement_below_parent(node: Mark) -> (Vec3, Quat) {
    let local = node.to_gd().get_transform();
    (convert::vec3(local.origin), convert::rotation(&local.basis))
}
impl GodotConvert for TargetPath {
    type Via = NodePath;
    fn godot_shape() -> GodotShape {
        NodePath::godot_shape()
    }
}
impl Var for TargetPath {
    type PubType = NodePath;
    fn var_get(field: &Self) -> NodePath {
        field.path.clone()
    }
    fn var_set(field: &mut Self, value: NodePath) {
        *field = Self::of(value);
    }
    fn var_pub_get(field: &Self) -> NodePath {
        Self::var_get(field)
    }
    fn var_pub_set(field: &mut Self, value: NodePath) {
        Self::var_set(field, value);
    }
}
impl Export for TargetPath {}
