//! Ground queries of a grounder: rays and sphere sweeps in the physics world of a node.

use crate::convert::{rotation, vec3, vector3};
use crate::ground_time::{Moment, Shift, TickTrack};
use crate::snapshot::{Refusal, SnapshotReader, SnapshotWriter};
use godot::builtin::{Array, Rid, Transform3D, VarDictionary, Variant, Vector3};
use godot::classes::physics_server_3d::BodyState;
use godot::classes::{
    Area3D, CollisionObject3D, Node, PhysicsDirectSpaceState3D, PhysicsRayQueryParameters3D, PhysicsServer3D,
    PhysicsShapeQueryParameters3D, SoftBody3D, SphereShape3D,
};
use godot::meta::ToGodot;
use godot::obj::{Gd, InstanceId, NewGd, Singleton};
use sinew::grounding::{Hit, Purpose, Query};
use sinew::math::{Vec3, rotation_vector};

/// Keys of the engine's answers.
struct Names {
    position: Variant,
    point: Variant,
    normal: Variant,
    rid: Variant,
    collider_id: Variant,
}

impl Default for Names {
    fn default() -> Self {
        let [position, point, normal, rid, collider_id] =
            ["position", "point", "normal", "rid", "collider_id"].map(|name| name.to_variant());
        Self { position, point, normal, rid, collider_id }
    }
}

/// Casts queries; remembers where the bodies that were hit have been.
#[derive(Default)]
pub struct GroundCaster {
    ray: Option<Gd<PhysicsRayQueryParameters3D>>,
    sphere: Option<(Gd<SphereShape3D>, Gd<PhysicsShapeQueryParameters3D>)>,
    names: Names,
    bodies: Vec<Body>,
    /// Number of the body below each foot in this frame, 0 for none.
    below: Vec<u32>,
    last_number: u32,
    frame: u64,
    set_for: Option<(u32, u64)>,
}

/// A body that was hit in this frame or the one before.
struct Body {
    rid: Rid,
    number: u32,
    /// A soft body has no transform of its own: it counts as standing still.
    is_soft: bool,
    track: TickTrack,
    /// Where it is at the time of this frame, and of the frame before.
    even: Transform3D,
    before: Option<Transform3D>,
    seen: u64,
}

/// The bodies of a snapshot.
pub struct SavedBodies {
    last_number: u32,
    bodies: Vec<Body>,
}

/// What a frame's queries have in common.
#[derive(Clone, Copy, Debug)]
pub struct Filter {
    /// Physics layers that count as ground.
    pub mask: u32,
    /// Cosine of the steepest ground that a foot is put on.
    pub least_up: f32,
    /// Up, unit.
    pub up: Vec3,
    /// Seconds since the last frame.
    pub dt_s: f32,
    /// The time that the frame shows.
    pub moment: Moment,
}

/// The bodies of a character, which are no ground to it: collision objects at `root` and below it.
/// Without one the root is the topmost collision object above `node`, or else `node`'s parent.
/// Areas do not count: no query meets them, and a level may be below one.
pub fn own_bodies(node: &Node, root: Option<Gd<Node>>) -> Array<Rid> {
    let mut found = Array::new();
    let mut open: Vec<Gd<Node>> = root.or_else(|| topmost(node)).into_iter().collect();
    while let Some(node) = open.pop() {
        open.extend(node.get_children().iter_shared());
        if is_body(&node) {
            found.push(node.cast::<CollisionObject3D>().get_rid());
        }
    }
    found
}

fn is_soft(collider_id: &Variant) -> bool {
    let id = collider_id.try_to::<i64>().ok().filter(|id| *id != 0).map(InstanceId::from_i64);
    id.is_some_and(|id| Gd::<SoftBody3D>::try_from_instance_id(id).is_ok())
}

fn topmost(node: &Node) -> Option<Gd<Node>> {
    let mut top = node.get_parent();
    let mut above = top.clone();
    while let Some(now) = above {
        above = now.get_parent();
        if is_body(&now) {
            top = Some(now);
        }
    }
    top
}

fn is_body(node: &Gd<Node>) -> bool {
    node.clone().try_cast::<CollisionObject3D>().is_ok() && node.clone().try_cast::<Area3D>().is_err()
}

impl GroundCaster {
    /// Begins a frame; `revision` changes when the excluded bodies do.
    pub fn begin(&mut self, filter: &Filter, revision: u64, excluded: impl FnOnce() -> Array<Rid>) {
        self.frame += 1;
        let frame = self.frame;
        self.bodies.retain(|body| body.seen + 1 >= frame);
        self.below.fill(0);
        if self.set_for == Some((filter.mask, revision)) {
            return;
        }
        self.set_for = Some((filter.mask, revision));
        let excluded = excluded();
        let mut ray = PhysicsRayQueryParameters3D::new_gd();
        ray.set_collision_mask(filter.mask);
        ray.set_exclude(&excluded);
        self.ray = Some(ray);
        let shape = SphereShape3D::new_gd();
        let mut sweep = PhysicsShapeQueryParameters3D::new_gd();
        sweep.set_shape(&shape);
        sweep.set_collision_mask(filter.mask);
        sweep.set_exclude(&excluded);
        self.sphere = Some((shape, sweep));
    }

    /// Writes what the next frame reads of this one: where the bodies that were hit are, by their
    /// numbers.
    pub fn save(&self, out: &mut SnapshotWriter) {
        let seen = || self.bodies.iter().filter(|body| body.seen == self.frame);
        out.word(self.last_number);
        out.word(seen().count() as u32);
        for body in seen() {
            out.long(body.rid.to_u64());
            out.word(body.number);
            out.word(u32::from(body.is_soft));
            out.transform(&body.even);
        }
    }
    /// Reads what [`Self::save`] wrote.
    pub fn read(reader: &mut SnapshotReader<'_>) -> Result<SavedBodies, Refusal> {
        let last_number = reader.word()?;
        let mut bodies = Vec::new();
        for _ in 0..reader.word()? {
            let (rid, number, is_soft) = (Rid::new(reader.long()?), reader.word()?, reader.word()? != 0);
            let even = reader.transform()?;
            bodies.push(Body { rid, number, is_soft, track: TickTrack::new(even, 0), even, before: None, seen: 1 });
        }
        Ok(SavedBodies { last_number, bodies })
    }
    /// Continues from bodies that were saved.
    pub fn restore(&mut self, saved: SavedBodies) {
        let frame = self.frame;
        self.bodies = saved.bodies.into_iter().map(|body| Body { seen: frame, ..body }).collect();
        self.last_number = saved.last_number;
    }

    /// The answer to one query.
    pub fn cast(&mut self, space: &mut Gd<PhysicsDirectSpaceState3D>, filter: &Filter, query: &Query) -> Hit {
        let from = vector3(query.origin_ws);
        let motion = vector3(query.direction_ws) * query.length;
        let found = if query.radius > 0.0 {
            self.sweep(space, from, motion, query.radius)
        } else {
            self.ray(space, from, motion)
        };
        let Some(found) = found else { return Hit::default() };
        let names = &self.names;
        let point = found.get_or_nil(if query.radius > 0.0 { &names.point } else { &names.position });
        let normal = found.get_or_nil(&names.normal);
        let (Ok(point), Ok(normal)) = (point.try_to::<Vector3>(), normal.try_to::<Vector3>()) else {
            return Hit::default();
        };
        let (mut point_ws, mut normal_ws) = (vec3(point), vec3(normal));
        let (mut body, mut velocity_ws, mut angular_velocity_ws) = (0, Vec3::ZERO, Vec3::ZERO);
        if let Ok(rid) = found.get_or_nil(&names.rid).try_to::<Rid>() {
            let moved = self.body(rid, &found, &filter.moment);
            // Queries meet the bodies where the last tick has put them.
            if let Some(shift) = Shift::between(moved.track.now(), &moved.even) {
                (point_ws, normal_ws) = (shift.point(point_ws), shift.direction(normal_ws));
            }
            body = moved.number;
            (velocity_ws, angular_velocity_ws) = moved.velocity(point_ws, filter.dt_s);
        }
        if normal_ws.dot(filter.up) < filter.least_up {
            return Hit::default();
        }
        if query.purpose == Purpose::Ball {
            let leg = query.leg as usize;
            if self.below.len() <= leg {
                self.below.resize(leg + 1, 0);
            }
            self.below[leg] = body;
        }
        Hit { hit: true, point_ws, normal_ws, body, velocity_ws, angular_velocity_ws }
    }

    /// From where the body below a foot is at the time of the frame to where it is drawn; `None`
    /// when it is the same place.
    pub fn shift_below(&self, leg: usize, moment: &Moment) -> Option<Shift> {
        let number = *self.below.get(leg).filter(|number| **number != 0 && !moment.is_drawn)?;
        let body = self.bodies.iter().find(|body| body.number == number)?;
        Shift::between(&body.even, body.track.now())
    }

    fn ray(
        &mut self,
        space: &mut Gd<PhysicsDirectSpaceState3D>,
        from: Vector3,
        motion: Vector3,
    ) -> Option<VarDictionary> {
        let ray = self.ray.as_mut()?;
        ray.set_from(from);
        ray.set_to(from + motion);
        Some(space.intersect_ray(&*ray))
    }

    fn sweep(
        &mut self,
        space: &mut Gd<PhysicsDirectSpaceState3D>,
        from: Vector3,
        motion: Vector3,
        radius: f32,
    ) -> Option<VarDictionary> {
        /// How far into the surface the sphere is put to learn its point and normal, metres.
        const INTO: f32 = 1e-3;
        let (shape, sweep) = self.sphere.as_mut()?;
        if shape.get_radius() != radius {
            shape.set_radius(radius);
        }
        sweep.set_transform(Transform3D::IDENTITY.translated(from));
        sweep.set_motion(motion);
        let parts = space.cast_motion(&*sweep);
        let free = parts.get(1).filter(|part| *part < 1.0)?;
        let length = motion.length().max(1e-6);
        sweep.set_transform(Transform3D::IDENTITY.translated(from + motion * (free + INTO / length)));
        sweep.set_motion(Vector3::ZERO);
        Some(space.get_rest_info(&*sweep))
    }

    /// A body that was hit. Its motion is measured from its own transforms, so that it does not
    /// matter what moves it.
    fn body(&mut self, rid: Rid, found: &VarDictionary, moment: &Moment) -> &Body {
        let at = match self.bodies.iter().position(|body| body.rid == rid) {
            Some(at) => at,
            None => {
                self.last_number = self.last_number.wrapping_add(1).max(1);
                let track = TickTrack::new(Transform3D::IDENTITY, moment.tick);
                let (number, even) = (self.last_number, Transform3D::IDENTITY);
                let is_soft = is_soft(&found.get_or_nil(&self.names.collider_id));
                self.bodies.push(Body { rid, number, is_soft, track, even, before: None, seen: 0 });
                self.bodies.len() - 1
            }
        };
        let body = &mut self.bodies[at];
        if body.seen != self.frame {
            let state =
                || PhysicsServer3D::singleton().body_get_state(rid, BodyState::TRANSFORM).try_to::<Transform3D>().ok();
            let now = if body.is_soft { None } else { state() }.unwrap_or(*body.track.now());
            if body.seen == 0 {
                body.track = TickTrack::new(now, moment.tick);
            } else {
                body.track.note(now, moment.tick);
                body.before = Some(body.even);
            }
            (body.even, body.seen) = (body.track.at(moment), self.frame);
        }
        body
    }
}

impl Body {
    /// How it moved at a point since the last frame: metres and radians per second.
    fn velocity(&self, point_ws: Vec3, dt_s: f32) -> (Vec3, Vec3) {
        let before = self.before.filter(|before| *before != self.even && dt_s > 0.0);
        let Some(before) = before else { return (Vec3::ZERO, Vec3::ZERO) };
        let was = vec3(before * (self.even.affine_inverse() * vector3(point_ws)));
        let turn = rotation(&self.even.basis) * rotation(&before.basis).conjugate();
        ((point_ws - was) / dt_s, rotation_vector(turn.normalize()) / dt_s)
    }
}
