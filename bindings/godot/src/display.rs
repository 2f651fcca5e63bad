//! Display of a node: debug lines in the 3D view of editor and game, and warnings in the editor.

use crate::convert;
use godot::builtin::{Color, Rid, Transform3D};
use godot::classes::base_material_3d::{Flags, ShadingMode};
use godot::classes::mesh::PrimitiveType;
use godot::classes::{EditorInterface, Engine, ImmediateMesh, Node, Node3D, RenderingServer, StandardMaterial3D};
use godot::obj::{Gd, NewGd, Singleton};
use sinew::debug::{Line, Part, Sink};
use sinew::math::Vec3;

/// The display of one node. It creates nothing in the engine until something is drawn.
#[derive(Debug, Default)]
pub struct Display {
    drawn: Option<Drawn>,
    in_editor: bool,
    warnings: Vec<String>,
}

#[derive(Debug)]
struct Drawn {
    mesh: Gd<ImmediateMesh>,
    material: Gd<StandardMaterial3D>,
    instance: Rid,
}

/// Lines in the world, each with its colour.
#[derive(Debug, Default)]
pub struct Drawing {
    lines: Vec<([Vec3; 2], Color)>,
}

impl Drawing {
    /// Lines from point to point along the border of a joint's range.
    pub fn limit_path(&mut self, points_ws: impl Iterator<Item = Vec3>) {
        let mut before = None;
        for to_ws in points_ws {
            if let Some(from_ws) = before.replace(to_ws) {
                self.lines.push(([from_ws, to_ws], Color::from_rgba(0.9, 0.55, 0.2, 1.0)));
            }
        }
    }
}

impl Sink for Drawing {
    fn line(&mut self, line: Line) {
        self.lines.push(([line.from_ws, line.to_ws], color(line.part)));
    }
}

fn color(part: Part) -> Color {
    match part {
        Part::Bone => Color::from_rgba(0.75, 0.75, 0.8, 1.0),
        Part::Residual => Color::from_rgba(1.0, 0.25, 0.2, 1.0),
        Part::GoalAxis => Color::from_rgba(0.3, 0.9, 0.4, 1.0),
        Part::Hint => Color::from_rgba(1.0, 0.8, 0.2, 1.0),
        Part::LookAt => Color::from_rgba(0.3, 0.7, 1.0, 1.0),
        Part::Body => Color::from_rgba(0.9, 0.5, 1.0, 1.0),
        Part::Limit => Color::from_rgba(1.0, 0.6, 0.2, 1.0),
        Part::Support => Color::from_rgba(0.3, 0.9, 0.8, 1.0),
    }
}

impl Display {
    /// Call when the node enters the tree.
    pub fn enter(&mut self) {
        self.in_editor = Engine::singleton().is_editor_hint();
    }
    /// Whether an update has work here: false in a running game without lines.
    #[inline]
    pub fn needs_update(&self, debug_lines: bool) -> bool {
        debug_lines || self.in_editor || self.drawn.is_some()
    }
    /// Whether lines are drawn: enabled, or the node is selected in the editor.
    pub fn draws_lines(&self, node: &Gd<Node>, debug_lines: bool) -> bool {
        let is_selected = || {
            let selection = EditorInterface::singleton().get_selection();
            selection.is_some_and(|selection| selection.get_selected_nodes().iter_shared().any(|n| n == *node))
        };
        debug_lines || (self.in_editor && is_selected())
    }
    /// In the editor: sets the warnings; true when they changed.
    pub fn warns_anew(&mut self, warnings: Vec<String>) -> bool {
        let news = self.in_editor && warnings != self.warnings;
        self.warnings = warnings;
        news
    }
    /// Shows these lines in place of those before.
    pub fn show(&mut self, node: &Node3D, drawing: &Drawing) {
        let drawn = self.drawn.get_or_insert_with(|| {
            let mesh = ImmediateMesh::new_gd();
            let mut material = StandardMaterial3D::new_gd();
            material.set_shading_mode(ShadingMode::UNSHADED);
            material.set_flag(Flags::ALBEDO_FROM_VERTEX_COLOR, true);
            material.set_flag(Flags::DISABLE_DEPTH_TEST, true);
            material.set_flag(Flags::DISABLE_FOG, true);
            let instance = RenderingServer::singleton().instance_create();
            RenderingServer::singleton().instance_set_base(instance, mesh.get_rid());
            Drawn { mesh, material, instance }
        });
        let scenario = node.get_world_3d().map_or(Rid::Invalid, |world| world.get_scenario());
        let mut server = RenderingServer::singleton();
        server.instance_set_scenario(drawn.instance, scenario);
        server.instance_set_transform(drawn.instance, Transform3D::IDENTITY);
        drawn.mesh.clear_surfaces();
        if drawing.lines.is_empty() {
            return;
        }
        drawn.mesh.surface_begin_ex(PrimitiveType::LINES).material(&drawn.material).done();
        for (ends_ws, color) in &drawing.lines {
            for end_ws in ends_ws {
                drawn.mesh.surface_set_color(*color);
                drawn.mesh.surface_add_vertex(convert::vector3(*end_ws));
            }
        }
        drawn.mesh.surface_end();
    }
    /// Clears all lines.
    pub fn clear(&mut self) {
        if let Some(drawn) = self.drawn.take() {
            RenderingServer::singleton().free_rid(drawn.instance);
        }
    }
}

/// `show`, for an update of which [`Display::needs_update`] is true. The class has the fields
/// `display` and `debug_lines`, and the methods `warnings(&self) -> Vec<String>` and
/// `draw(&mut self, &mut Drawing)`.
macro_rules! display_node {
    ($class:ident) => {
        impl $class {
            #[cold]
            fn show(&mut self) {
                let node = self.to_gd();
                let warnings = self.warnings();
                if self.display.warns_anew(warnings) {
                    self.base_mut().call_deferred("update_configuration_warnings", &[]);
                }
                if !self.display.draws_lines(&node.clone().upcast(), self.debug_lines) {
                    return self.display.clear();
                }
                let mut drawing = Drawing::default();
                self.draw(&mut drawing);
                self.display.show(&node.upcast::<Node3D>(), &drawing);
            }
        }
    };
}
pub(crate) use display_node;

impl Drop for Display {
    fn drop(&mut self) {
        self.clear();
    }
}
