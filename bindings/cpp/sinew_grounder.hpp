// Feet on the ground for C++17: stairs, slopes, moving platforms, any number of legs; part of
// sinew.hpp, which includes this file at its end.
//
//   auto grounder = sinew::Grounder::create(feet);               // once; one foot model per leg
//   auto queries = grounder.begin(frame, legs, query_buffer);    // each frame, the animated legs
//   cast(queries, hits);                                         // the host's physics
//   grounder.finish(hits);
//   grounder.legs(results);  sinew::GrounderBody body = grounder.body();
//
// It belongs to no animator: the host carries poses to it and results away. docs/grounding.md says
// what each setting does.
#ifndef SINEW_GROUNDER_HPP
#define SINEW_GROUNDER_HPP

#include "sinew.hpp"

namespace sinew {

/// Settings with their units and ranges; start from Grounder::default_settings().
using GrounderSettings = SinewGrounderSettings;
/// Heights of the foot's joints and outline of its sole, metres; start from default_foot() or
/// foot_from_rest().
using FootModel = SinewFootModel;
/// The character in a frame, world space; start from Grounder::default_frame().
using GrounderFrame = SinewGrounderFrame;
/// An animated leg, world space, before any correction.
using GrounderLeg = SinewGrounderLeg;
/// A ray or sphere sweep that the host casts.
using GroundQuery = SinewGroundQuery;
/// The host's answer to one query.
using GroundHit = SinewGroundHit;
/// Displacement of the pelvis and turn of the body, world space.
using GrounderBody = SinewGrounderBody;
/// A leg as it is put out, world space.
using GrounderLegResult = SinewGrounderLegResult;
/// How feet without animation step; start from Grounder::default_stepping().
using SteppingSettings = SinewSteppingSettings;
/// When a point of a clip counts as standing; start from default_contact_rule().
using ContactRule = SinewContactRule;
/// Frames of a clip: the first, and the one after the last.
using FrameRange = SinewFrameRange;

#ifndef SINEW_NO_EXCEPTIONS
inline namespace throwing {
#else
inline namespace no_throw {
#endif

/// A foot model with defaults.
inline FootModel default_foot() noexcept {
  FootModel foot{};
  (void)sinew_foot_model_default(&foot);
  return foot;
}
/// A foot model from joints of a pose that stands on flat ground. `ball` and `toe_tip` may be null.
inline Returns<FootModel> foot_from_rest(const Vec3& ankle, const Vec3* ball, const Vec3* toe_tip, const Vec3& ground,
                                         const Vec3& up) {
  return detail::out<FootModel>(
      [&](FootModel* out) { return sinew_foot_model_from_rest(&ankle, ball, toe_tip, &ground, &up, out); });
}

/// A foot model from the outline of its sole in a pose that stands on flat ground: points, the
/// lowest of them on the ground.
inline Returns<FootModel> foot_from_outline(const Vec3& ankle, const Vec3& ball, Span<const Vec3> outline, const Vec3& up) {
  return detail::out<FootModel>([&](FootModel* out) {
    return sinew_foot_model_from_outline(&ankle, &ball, outline.data(), detail::length(outline.size()), &up, out);
  });
}
/// A contact rule with defaults.
inline ContactRule default_contact_rule() noexcept {
  ContactRule rule{};
  (void)sinew_contact_rule_default(&rule);
  return rule;
}
/// In which frames of a clip on flat ground a foot stands: `track` has the place of its contact
/// point per frame. Allocates.
inline Returns<std::vector<FrameRange>> contacts_from_clip(Span<const Vec3> track, float frame_time_s, const Vec3& up,
                                                           const ContactRule& rule = default_contact_rule()) {
  // A stance and the gap after it are a frame each or more.
  std::vector<FrameRange> found(track.size() / 2 + 1);
  std::uint32_t count = 0;
  const SinewResult code =
      sinew_contacts_from_clip(track.data(), detail::length(track.size()), frame_time_s, &up, &rule, found.data(),
                               detail::length(found.size()), &count);
  found.resize(code == SINEW_OK ? count : 0);
  return detail::give(code, std::move(found));
}

/// Puts the feet of one character on the ground.
class Grounder : public detail::Owner<SinewGrounder, sinew_grounder_destroy, sinew_grounder_is_valid> {
 public:
  using Owner::Owner;

  /// The default settings.
  static GrounderSettings default_settings() noexcept {
    GrounderSettings settings{};
    (void)sinew_grounder_settings_default(&settings);
    return settings;
  }
  /// A frame at the origin, up along Y, a sixtieth of a second long.
  static GrounderFrame default_frame() noexcept {
    GrounderFrame frame{};
    (void)sinew_grounder_frame_default(&frame);
    return frame;
  }
  /// Creates a grounder with one foot model per leg and default settings.
  static Returns<Grounder> create(Span<const FootModel> feet) { return create(feet, default_settings()); }
  /// Creates a grounder with one foot model per leg.
  static Returns<Grounder> create(Span<const FootModel> feet, const GrounderSettings& settings) {
    return detail::create<Grounder, SinewGrounder>([&](SinewGrounder* out) {
      return sinew_grounder_create(feet.data(), detail::length(feet.size()), &settings, out);
    });
  }

  /// Number of legs.
  Returns<std::uint32_t> leg_count() const {
    return detail::out<std::uint32_t>([&](auto* out) { return sinew_grounder_get_leg_count(handle(), out); });
  }
  /// Settings in force.
  Returns<GrounderSettings> settings() const {
    return detail::out<GrounderSettings>([&](auto* out) { return sinew_grounder_get_settings(handle(), out); });
  }
  /// Sets the settings; locks and all else that lasts stay.
  Done set_settings(const GrounderSettings& settings) {
    return detail::done(sinew_grounder_set_settings(handle(), &settings));
  }
  /// Foot model of a leg.
  Returns<FootModel> foot(std::uint32_t leg) const {
    return detail::out<FootModel>([&](auto* out) { return sinew_grounder_get_foot(handle(), leg, out); });
  }
  /// Sets the foot model of a leg: other shoes.
  Done set_foot(std::uint32_t leg, const FootModel& foot) {
    return detail::done(sinew_grounder_set_foot(handle(), leg, &foot));
  }
  /// Stepping settings with defaults.
  static SteppingSettings default_stepping() noexcept {
    SteppingSettings settings{};
    (void)sinew_stepping_settings_default(&settings);
    return settings;
  }
  /// Makes the feet step by themselves: the legs of each frame are then the homes of the feet (see
  /// sinew_grounder_set_stepping). `groups` has the group of each leg, or nothing. Allocates where
  /// the groups are others than before.
  Done set_stepping(const SteppingSettings& settings, Span<const std::uint32_t> groups = {}) {
    return detail::done(
        sinew_grounder_set_stepping(handle(), &settings, groups.data(), detail::length(groups.size())));
  }
  /// Ends the stepping.
  Done clear_stepping() { return detail::done(sinew_grounder_clear_stepping(handle())); }
  /// Resets all that lasts between frames (sinew_grounder_reset): after a teleport or a cut.
  /// reset() destroys the object, as with all owners.
  Done reset_grounding() { return detail::done(sinew_grounder_reset(handle())); }

  /// Starts a frame and writes its queries to the first elements of `room`, which must have quality
  /// times legs of them (10 for two legs and default settings) or more. Returns those that are
  /// asked.
  Returns<Span<const GroundQuery>> begin(const GrounderFrame& frame, Span<const GrounderLeg> legs,
                                         Span<GroundQuery> room) {
    std::uint32_t count = 0;
    SinewResult code = sinew_grounder_begin(handle(), &frame, legs.data(), detail::length(legs.size()), &count);
    if (code == SINEW_OK)
      code = sinew_grounder_get_queries(handle(), room.data(), detail::length(room.size()), &count);
    return detail::give(code, Span<const GroundQuery>(room.data(), code == SINEW_OK ? count : 0));
  }
  /// Solves the frame under way: one answer per query, in their order.
  Done finish(Span<const GroundHit> hits) {
    return detail::done(sinew_grounder_finish(handle(), hits.data(), detail::length(hits.size())));
  }
  /// Solves a frame in one call: `cast(query)` returns the GroundHit of a GroundQuery. An exception
  /// it throws is thrown again here; the frame stays under way, as where an answer is refused: the
  /// next begin() or solve() starts anew.
  template <class Cast>
  Done solve(const GrounderFrame& frame, Span<const GrounderLeg> legs, Cast&& cast) {
    using Caster = Casting<std::remove_reference_t<Cast>>;
    Caster casting{std::addressof(cast)};
    const SinewResult code = sinew_grounder_solve(handle(), &frame, legs.data(), detail::length(legs.size()),
                                                  &Caster::cast_ground, &casting);
#ifndef SINEW_NO_EXCEPTIONS
    if (casting.error) std::rethrow_exception(casting.error);
#endif
    return detail::done(code);
  }
  /// What the last finished frame says about the body.
  Returns<GrounderBody> body() const {
    return detail::out<GrounderBody>([&](auto* out) { return sinew_grounder_get_body(handle(), out); });
  }
  /// Writes the legs of the last finished frame; `out` must be as long as there are legs.
  Done legs(Span<GrounderLegResult> out) const {
    return detail::done(sinew_grounder_get_legs(handle(), out.data(), detail::length(out.size())));
  }

  /// Lines that show the last finished frame: queries, contacts, landings, pelvis. Allocates.
  Returns<std::vector<DebugLine>> debug_lines() const {
    std::uint32_t count = 0;
    std::vector<DebugLine> lines;
    SinewResult code = sinew_grounder_get_debug_lines(handle(), nullptr, 0, &count);
    if (code == SINEW_ERROR_BUFFER_TOO_SMALL) {
      lines.resize(count);
      code = sinew_grounder_get_debug_lines(handle(), lines.data(), count, &count);
    }
    return detail::give(code, std::move(lines));
  }

  /// All that lasts between frames. Allocates.
  Returns<std::vector<std::uint8_t>> snapshot() const {
    std::uint32_t size = 0;
    std::vector<std::uint8_t> bytes;
    SinewResult code = sinew_grounder_get_snapshot_size(handle(), &size);
    if (code == SINEW_OK) {
      bytes.resize(size);
      code = sinew_grounder_get_snapshot(handle(), bytes.data(), size);
    }
    return detail::give(code, std::move(bytes));
  }
  /// Sets all that lasts between frames; the frames that follow are the same bits.
  Done set_snapshot(Span<const std::uint8_t> bytes) {
    return detail::done(sinew_grounder_set_snapshot(handle(), bytes.data(), detail::length(bytes.size())));
  }

 private:
  template <class Cast>
  struct Casting {
    Cast* cast;
#ifndef SINEW_NO_EXCEPTIONS
    std::exception_ptr error{};
#endif
    static void cast_ground(void* user, const GroundQuery* query, GroundHit* out_hit) {
      auto* self = static_cast<Casting*>(user);
#ifndef SINEW_NO_EXCEPTIONS
      if (!self->error) {
        try {
          *out_hit = (*self->cast)(*query);
          return;
        } catch (...) {
          self->error = std::current_exception();  // must not unwind through the library
        }
      }
      // An answer that is refused: the feet must not act on ground that nobody saw.
      out_hit->hit = 2;
#else
      *out_hit = (*self->cast)(*query);
#endif
    }
  };
};

/// Models of the left and the right foot of a person, from the avatar's T-pose and the root's
/// scale, for Grounder::create.
inline Returns<std::array<FootModel, 2>> foot_models(const Animator& animator) {
  return detail::out<std::array<FootModel, 2>>(
      [&](auto* out) { return sinew_animator_get_foot_models(animator.handle(), out->data(), 2); });
}
/// The animation of a person, for Grounder::begin: root, up and pelvis in `frame`, whose `dt_s` is
/// to be set after this call; the left and the right leg. Before the solve.
inline Done grounder_legs(const Animator& animator, GrounderFrame& frame, std::array<GrounderLeg, 2>& legs) {
  return detail::done(sinew_animator_get_grounder_legs(animator.handle(), &frame, legs.data(), 2));
}
/// Takes over what a grounder has found in its last finished frame: goals of both feet, turns of
/// the toes, place and turn of the body. Once per frame, before the solve.
inline Done apply_grounder(Animator& animator, const Grounder& grounder) {
  return detail::done(sinew_animator_apply_grounder(animator.handle(), grounder.handle()));
}


/// Starts a frame of many grounders, all queries in one array. The queries of grounder `i` are
/// those from `first[i]` up to `first[i + 1]`; `first` has one element more than there are
/// grounders. See sinew_grounder_begin_batch. Unequal lengths fail with
/// SINEW_ERROR_LENGTH_MISMATCH.
inline Done begin_batch(Span<const SinewGrounder> grounders, Span<const GrounderFrame> frames, Span<const GrounderLeg> legs,
                        Span<GroundQuery> room, Span<std::uint32_t> first) {
  if (frames.size() != grounders.size())
    return detail::refused(
        wrapper::refuse("sinew::begin_batch", "frames", frames.size(), grounders.size(), "as many as grounders"));
  if (first.size() != grounders.size() + 1)
    return detail::refused(wrapper::refuse("sinew::begin_batch", "first", first.size(), grounders.size() + 1,
                                           "one more than grounders"));
  return detail::done(sinew_grounder_begin_batch(grounders.data(), detail::length(grounders.size()), frames.data(),
                                                 legs.data(), detail::length(legs.size()), room.data(),
                                                 detail::length(room.size()), first.data()));
}
/// Solves the frames under way of many grounders; see sinew_grounder_finish_batch.
inline Done finish_batch(Span<const SinewGrounder> grounders, Span<const GroundHit> hits, Span<GrounderBody> bodies,
                         Span<GrounderLegResult> legs) {
  if (bodies.size() != grounders.size())
    return detail::refused(
        wrapper::refuse("sinew::finish_batch", "bodies", bodies.size(), grounders.size(), "as many as grounders"));
  return detail::done(sinew_grounder_finish_batch(grounders.data(), detail::length(grounders.size()), hits.data(),
                                                  detail::length(hits.size()), bodies.data(), legs.data(),
                                                  detail::length(legs.size())));
}

}  // namespace throwing, or no_throw
}  // namespace sinew

#endif  // SINEW_GROUNDER_HPP
