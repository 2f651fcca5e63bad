//! Debug lines in the 3D view, in the editor and in the running game.

use crate::convert;
use godot::builtin::{Color, Rid, Transform3D};
use godot::classes::base_material_3d::{Flags, ShadingMode};
use godot::classes::mesh::PrimitiveType;
use godot::classes::{ImmediateMesh, Node3D, RenderingServer, StandardMaterial3D};
use godot::obj::{Gd, NewGd, Singleton};
use sinew::debug::{Line, Part};

/// Lines of one node. Nothing exists in the engine until something is drawn.
#[derive(Debug, Default)]
pub struct Lines {
    drawn: Option<Drawn>,
}

#[derive(Debug)]
struct Drawn {
    mesh: Gd<ImmediateMesh>,
    material: Gd<StandardMaterial3D>,
    instance: Rid,
}

fn color(part: Part) -> Color {
    match part {
        Part::Bone => Color::from_rgba(0.75, 0.75, 0.8, 1.0),
        Part::Residual => Color::from_rgba(1.0, 0.25, 0.2, 1.0),
        Part::GoalAxis => Color::from_rgba(0.3, 0.9, 0.4, 1.0),
        Part::Hint => Color::from_rgba(1.0, 0.8, 0.2, 1.0),
        Part::LookAt => Color::from_rgba(0.3, 0.7, 1.0, 1.0),
        Part::Body => Color::from_rgba(0.9, 0.5, 1.0, 1.0),
    }
}

impl Lines {
    /// Shows these lines, in world space, in place of those before.
    pub fn show(&mut self, node: &Node3D, lines: &[Line]) {
        let drawn = self.drawn.get_or_insert_with(|| {
            let mesh = ImmediateMesh::new_gd();
            let mut material = StandardMaterial3D::new_gd();
            material.set_shading_mode(ShadingMode::UNSHADED);
            material.set_flag(Flags::ALBEDO_FROM_VERTEX_COLOR, true);
            material.set_flag(Flags::DISABLE_DEPTH_TEST, true);
            let instance = RenderingServer::singleton().instance_create();
            RenderingServer::singleton().instance_set_base(instance, mesh.get_rid());
            Drawn { mesh, material, instance }
        });
        let scenario = node.get_world_3d().map_or(Rid::Invalid, |world| world.get_scenario());
        let mut server = RenderingServer::singleton();
        server.instance_set_scenario(drawn.instance, scenario);
        server.instance_set_transform(drawn.instance, Transform3D::IDENTITY);
        drawn.mesh.clear_surfaces();
        if lines.is_empty() {
            return;
        }
        drawn.mesh.surface_begin_ex(PrimitiveType::LINES).material(&drawn.material).done();
        for line in lines {
            for end in [line.from_ws, line.to_ws] {
                drawn.mesh.surface_set_color(color(line.part));
                drawn.mesh.surface_add_vertex(convert::vector3(end));
            }
        }
        drawn.mesh.surface_end();
    }
    /// Takes all lines away.
    pub fn clear(&mut self) {
        if let Some(drawn) = self.drawn.take() {
            RenderingServer::singleton().free_rid(drawn.instance);
        }
    }
}

impl Drop for Lines {
    fn drop(&mut self) {
        self.clear();
    }
}
