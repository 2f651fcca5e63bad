//! Tracked bodies over the network: packets out, and in.

use super::guard::{Failure, guard, out_ref};
use super::result::SinewResult;
use super::tracked_body_read as checked;
use super::types::{SINEW_TRACKER_PACKET_SIZE, SinewTrackedBody};
use super::{read, rooms};
use crate::trackers::MAX_PACKET_BYTES;

const _: () = assert!(MAX_PACKET_BYTES <= SINEW_TRACKER_PACKET_SIZE as usize);

/// Writes the trackers of the last update as a packet: at most 200 bytes, at most 64 while no more
/// than four trackers move. Every packet is complete in itself, so lost ones are not sent again.
/// Positions are off by at most 0.45 mm within 16 m of the origin of tracking space, rotations by
/// 0.04 degrees; those of trackers at rest by rest_distance and rest_angle more. The receiver needs
/// the calibration, once.
///
/// @param out_bytes  room for the packet.
/// @param capacity   at least SINEW_TRACKER_PACKET_SIZE.
/// @param out_size   bytes of the packet.
/// @return SINEW_ERROR_BUFFER_TOO_SMALL: capacity.
pub unsafe extern "C" fn sinew_tracked_body_pack(
    body: SinewTrackedBody,
    out_bytes: *mut u8,
    capacity: u32,
    out_size: Option<&mut u32>,
) -> SinewResult {
    guard("sinew_tracked_body_pack", || {
        let out_size = out_ref(out_size, "out_size")?;
        if capacity < SINEW_TRACKER_PACKET_SIZE {
            return Err(Failure::new(
                SinewResult::SinewErrorBufferTooSmall,
                format_args!("capacity is {capacity}, a packet may need {SINEW_TRACKER_PACKET_SIZE} bytes"),
            ));
        }
        // SAFETY: required of the caller of the C function; see `read`.
        let out = unsafe { read::array_mut("out_bytes", out_bytes, SINEW_TRACKER_PACKET_SIZE as usize) }?;
        checked::with_body(body, |body| {
            let mut packet = [0; MAX_PACKET_BYTES];
            let size = body.pack(&mut packet);
            out[..size].copy_from_slice(&packet[..size]);
            *out_size = size as u32;
            Ok(())
        })
    })
}

/// Receives a packet of a remote player, in any order, into the body's jitter buffer. The first one
/// allocates the buffer.
///
/// @param bytes      as sinew_tracked_body_pack wrote them.
/// @param size       number of bytes, at least 1.
/// @param arrival_s  when it arrived, seconds of the clock of sinew_tracked_body_update_remote.
/// @return SINEW_ERROR_INVALID_ARGUMENT: the bytes are no packet; nothing changed.
pub unsafe extern "C" fn sinew_tracked_body_receive(
    body: SinewTrackedBody,
    bytes: *const u8,
    size: u32,
    arrival_s: f64,
) -> SinewResult {
    guard("sinew_tracked_body_receive", || {
        let arrival_s = checked::time("arrival_s", arrival_s)?;
        let size = read::within("size", size, 1, SINEW_TRACKER_PACKET_SIZE)?;
        // SAFETY: required of the caller of the C function; see `read`.
        let bytes = unsafe { read::array("bytes", bytes, size as usize) }?;
        checked::with_body(body, |body| {
            let _room = if body.is_remote() { None } else { Some(rooms::PACKETS.room(0)?) };
            if body.receive(bytes, arrival_s) { Ok(()) } else { Err(Failure::argument("bytes are no packet")) }
        })
    })
}

/// Solves the body of a remote player from what was received, interpolated, a little later than it
/// was sent: as late as the network's jitter demands. The same packets, arrivals and times give the
/// same bits everywhere. Before the first packet nothing changes.
///
/// @param now_s  seconds, on the clock of the arrivals.
/// @return SINEW_ERROR_NOT_FINITE: now_s.
pub extern "C" fn sinew_tracked_body_update_remote(body: SinewTrackedBody, now_s: f64) -> SinewResult {
    guard("sinew_tracked_body_update_remote", || {
        let now_s = checked::time("now_s", now_s)?;
        checked::with_body(body, |body| {
            body.update_remote(now_s);
            Ok(())
        })
    })
}

/// Returns how much later than the network's fastest packet would allow a remote player is shown.
///
/// @param out_delay_s  seconds; 0 before the first packet.
pub extern "C" fn sinew_tracked_body_get_network_delay(
    body: SinewTrackedBody,
    out_delay_s: Option<&mut f32>,
) -> SinewResult {
    guard("sinew_tracked_body_get_network_delay", || {
        let out = out_ref(out_delay_s, "out_delay_s")?;
        checked::with_body(body, |body| {
            *out = body.network_delay_s();
            Ok(())
        })
    })
}
