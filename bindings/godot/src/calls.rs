//! The engine calls that updates consist of, made straight through the engine's interface.
//!
//! A humanoid's update makes about a hundred of them, and the binding crate's overhead per call
//! costs as much as the call itself. Method pointers are looked up once; arguments are plain
//! numbers of the types in the engine's API. Objects here are raw: they are used within the update
//! (or the call of a script) that found them, on the thread the engine made it on, and never kept.

use godot::builtin::{Quaternion, StringName, Transform3D, Vector3};
use godot::classes::{Node3D, Skeleton3D, SkeletonModifier3D};
use godot::obj::{Base, Gd, InstanceId};
use godot::sys::{self, GodotFfi};
use std::mem::MaybeUninit;
use std::sync::OnceLock;

type Method = sys::GDExtensionMethodBindPtr;
type Object = sys::GDExtensionObjectPtr;

/// Methods of the engine, by their names there.
struct Methods {
    get_skeleton: Method,
    get_influence: Method,
    get_version: Method,
    get_bone_global_pose: Method,
    get_bone_pose_position: Method,
    get_bone_pose_rotation: Method,
    get_bone_pose_scale: Method,
    set_bone_pose_position: Method,
    set_bone_pose_rotation: Method,
    is_bone_enabled: Method,
    is_interpolated: Method,
    get_interpolated: Method,
    is_inside_tree: Method,
    get_global_transform: Method,
    get_global_position: Method,
    call: unsafe extern "C" fn(Method, Object, *const sys::GDExtensionConstTypePtr, sys::GDExtensionTypePtr),
    instance: unsafe extern "C" fn(sys::GDObjectInstanceID) -> Object,
}

// SAFETY: the engine's descriptions of its methods are made before any extension is loaded and
// never change.
unsafe impl Send for Methods {}
// SAFETY: as above.
unsafe impl Sync for Methods {}

static METHODS: OnceLock<Methods> = OnceLock::new();

impl Methods {
    #[inline]
    fn get() -> &'static Self {
        METHODS.get_or_init(Self::find)
    }
    /// The numbers name the signatures, as in the engine's `extension_api.json`; the engine keeps
    /// old ones.
    #[cold]
    fn find() -> Self {
        let find = |class: &str, name: &str, signature: i64| -> Method {
            let (class, method) = (StringName::from(class), StringName::from(name));
            // SAFETY: classes exist only after the binding crate has the interface, and the names
            // live until the call returns.
            let method = unsafe {
                sys::interface_fn!(classdb_get_method_bind)(class.sys().cast(), method.sys().cast(), signature)
            };
            assert!(!method.is_null(), "the engine has no method {name} of the signature of Godot 4.6");
            method
        };
        Self {
            get_skeleton: find("SkeletonModifier3D", "get_skeleton", 1_488_626_673),
            get_influence: find("SkeletonModifier3D", "get_influence", 1_740_695_150),
            get_version: find("Skeleton3D", "get_version", 3_905_245_786),
            get_bone_global_pose: find("Skeleton3D", "get_bone_global_pose", 1_965_739_696),
            get_bone_pose_position: find("Skeleton3D", "get_bone_pose_position", 711_720_468),
            get_bone_pose_rotation: find("Skeleton3D", "get_bone_pose_rotation", 476_865_136),
            get_bone_pose_scale: find("Skeleton3D", "get_bone_pose_scale", 711_720_468),
            set_bone_pose_position: find("Skeleton3D", "set_bone_pose_position", 1_530_502_735),
            set_bone_pose_rotation: find("Skeleton3D", "set_bone_pose_rotation", 2_823_819_782),
            is_bone_enabled: find("Skeleton3D", "is_bone_enabled", 1_116_898_809),
            is_interpolated: find("Node", "is_physics_interpolated_and_enabled", 36_873_697),
            get_interpolated: find("Node3D", "get_global_transform_interpolated", 4_183_770_049),
            is_inside_tree: find("Node", "is_inside_tree", 36_873_697),
            get_global_transform: find("Node3D", "get_global_transform", 3_229_777_777),
            get_global_position: find("Node3D", "get_global_position", 3_360_562_783),
            call: sys::interface_fn!(object_method_bind_ptrcall),
            instance: sys::interface_fn!(object_get_instance_from_id),
        }
    }
    /// # Safety
    /// The object lives and is of the method's class; `R` and the arguments are what the method's
    /// signature says, in the engine's own layout.
    #[inline]
    unsafe fn call<R: Copy, const N: usize>(
        &self,
        method: Method,
        object: Object,
        arguments: [sys::GDExtensionConstTypePtr; N],
    ) -> R {
        let mut returned = MaybeUninit::<R>::uninit();
        // SAFETY: the caller guarantees the types; the engine writes an `R`.
        unsafe {
            (self.call)(method, object, arguments.as_ptr(), returned.as_mut_ptr().cast());
            returned.assume_init()
        }
    }
}

/// A `Skeleton3D` in the update that runs.
#[derive(Clone, Copy)]
pub struct Rig {
    methods: &'static Methods,
    object: Object,
}

impl Rig {
    /// The skeleton of a modifier, if it still exists.
    #[inline]
    pub fn of(modifier: &Base<SkeletonModifier3D>) -> Option<Self> {
        let methods = Methods::get();
        // SAFETY: `get_skeleton() -> Skeleton3D`; the modifier is the object that is being called.
        let object: Object = unsafe { methods.call(methods.get_skeleton, modifier.obj_sys(), []) };
        (!object.is_null()).then_some(Self { methods, object })
    }
    /// Whether the engine discards the result of a modifier in this update.
    #[inline]
    pub fn is_without_influence(self, modifier: &Base<SkeletonModifier3D>) -> bool {
        // SAFETY: `get_influence() -> float`, which has 64 bits on the way; the modifier is the
        // object that is being called.
        let influence: f64 = unsafe { self.methods.call(self.methods.get_influence, modifier.obj_sys(), []) };
        influence <= 0.0
    }
    /// As in the binding crate, for calls that are not made in every update.
    #[cold]
    pub fn to_gd(self) -> Gd<Skeleton3D> {
        // SAFETY: the object lives; the call reads its id.
        let id = unsafe { sys::interface_fn!(object_get_instance_id)(self.object) };
        Gd::from_instance_id(InstanceId::from_i64(id.cast_signed()))
    }
    /// Changes with the bones' names and number.
    #[inline]
    pub fn version(self) -> u64 {
        // SAFETY: `get_version() -> int`.
        unsafe { self.methods.call(self.methods.get_version, self.object, []) }
    }
    /// The skeleton's global transform.
    #[inline]
    pub fn global_transform(self) -> Transform3D {
        // SAFETY: `get_global_transform() -> Transform3D`.
        unsafe { self.methods.call(self.methods.get_global_transform, self.object, []) }
    }
    /// Whether the engine draws the skeleton between physics ticks.
    #[inline]
    pub fn is_interpolated(self) -> bool {
        // SAFETY: `is_physics_interpolated_and_enabled() -> bool`.
        unsafe { self.methods.call::<u8, 0>(self.methods.is_interpolated, self.object, []) != 0 }
    }
    /// Where the engine draws the skeleton then.
    #[inline]
    pub fn interpolated_transform(self) -> Transform3D {
        // SAFETY: `get_global_transform_interpolated() -> Transform3D`.
        unsafe { self.methods.call(self.methods.get_interpolated, self.object, []) }
    }
    /// Whether a bone has its pose, and not its rest.
    #[inline]
    pub fn is_bone_enabled(self, bone: i32) -> bool {
        // SAFETY: `is_bone_enabled(int) -> bool`.
        unsafe { self.of_bone::<u8>(self.methods.is_bone_enabled, bone) != 0 }
    }
    /// # Safety
    /// The method takes a bone's number and returns an `R`.
    #[inline]
    unsafe fn of_bone<R: Copy>(self, method: Method, bone: i32) -> R {
        let bone = i64::from(bone);
        // SAFETY: the caller guarantees the types; the engine's integers have 64 bits.
        unsafe { self.methods.call(method, self.object, [(&raw const bone).cast()]) }
    }
    /// # Safety
    /// The method takes a bone's number and a `V`.
    #[inline]
    unsafe fn set_of_bone<V>(self, method: Method, bone: i32, value: &V) {
        let bone = i64::from(bone);
        // SAFETY: the caller guarantees the types; nothing is returned.
        unsafe {
            self.methods.call::<(), 2>(method, self.object, [(&raw const bone).cast(), (&raw const *value).cast()])
        }
    }
    /// A bone in skeleton space.
    #[inline]
    pub fn bone_global_pose(self, bone: i32) -> Transform3D {
        // SAFETY: `get_bone_global_pose(int) -> Transform3D`.
        unsafe { self.of_bone(self.methods.get_bone_global_pose, bone) }
    }
    /// A bone's position in its parent.
    #[inline]
    pub fn bone_position(self, bone: i32) -> Vector3 {
        // SAFETY: `get_bone_pose_position(int) -> Vector3`.
        unsafe { self.of_bone(self.methods.get_bone_pose_position, bone) }
    }
    /// A bone's rotation in its parent.
    #[inline]
    pub fn bone_rotation(self, bone: i32) -> Quaternion {
        // SAFETY: `get_bone_pose_rotation(int) -> Quaternion`.
        unsafe { self.of_bone(self.methods.get_bone_pose_rotation, bone) }
    }
    /// A bone's scale in its parent.
    #[inline]
    pub fn bone_scale(self, bone: i32) -> Vector3 {
        // SAFETY: `get_bone_pose_scale(int) -> Vector3`.
        unsafe { self.of_bone(self.methods.get_bone_pose_scale, bone) }
    }
    /// Moves a bone.
    #[inline]
    pub fn set_bone_position(self, bone: i32, position: Vector3) {
        // SAFETY: `set_bone_pose_position(int, Vector3)`.
        unsafe { self.set_of_bone(self.methods.set_bone_pose_position, bone, &position) }
    }
    /// Turns a bone.
    #[inline]
    pub fn set_bone_rotation(self, bone: i32, rotation: Quaternion) {
        // SAFETY: `set_bone_pose_rotation(int, Quaternion)`.
        unsafe { self.set_of_bone(self.methods.set_bone_pose_rotation, bone, &rotation) }
    }
}

/// A `Node3D` in the tree, now.
#[derive(Clone, Copy)]
pub struct Mark {
    methods: &'static Methods,
    object: Object,
    id: InstanceId,
}

impl Mark {
    /// The node of an id that was a `Node3D`'s, while it lives and is in the tree.
    #[inline]
    pub fn of(id: InstanceId) -> Option<Self> {
        let methods = Methods::get();
        // SAFETY: the engine accepts any number and reports whether it is an object's id.
        let object = unsafe { (methods.instance)(id.to_i64().cast_unsigned()) };
        // SAFETY: `is_inside_tree() -> bool`, of an object that lives; ids are not used twice, so
        // it is the node.
        let is_there = || unsafe { methods.call::<u8, 0>(methods.is_inside_tree, object, []) } != 0;
        (!object.is_null() && is_there()).then_some(Self { methods, object, id })
    }
    /// Its instance id, to find it again.
    pub fn id(self) -> InstanceId {
        self.id
    }
    /// As in the binding crate, for calls that are not made in every update.
    pub fn to_gd(self) -> Gd<Node3D> {
        Gd::from_instance_id(self.id)
    }
    /// Its position in the world.
    #[inline]
    pub fn global_position(self) -> Vector3 {
        // SAFETY: `get_global_position() -> Vector3`.
        unsafe { self.methods.call(self.methods.get_global_position, self.object, []) }
    }
    /// Its global transform.
    #[inline]
    pub fn global_transform(self) -> Transform3D {
        // SAFETY: `get_global_transform() -> Transform3D`.
        unsafe { self.methods.call(self.methods.get_global_transform, self.object, []) }
    }
}
