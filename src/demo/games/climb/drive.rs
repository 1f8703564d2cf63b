//! The road and the car on it: heights by formula, two wheels and a rod between them stepped from the start, one record a
//! frame. Units are those of flat layers (y down), seconds, turns.

use std::f32::consts::TAU;

use glam::Vec2;

use crate::FRAMES_PER_SECOND;
use crate::kit::motion::ease;
use crate::procedural::random;

/// Radius of a wheel.
pub(super) const WHEEL: f32 = 27.0;
/// Distance from axle to axle.
const BASE: f32 = 114.0;
/// Units a second, squared.
const GRAVITY: f32 = 1050.0;
/// Cruising speed that the driver holds, units a second.
const CRUISE: f32 = 540.0;
/// Physics steps a frame.
const STEPS: u32 = 4;
/// Frames that are remembered from the start on.
const REMEMBERED: usize = 3600;

/// The road's height at every x.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Road {
    phases: [f32; 4],
}

impl Road {
    fn new(seed: u32) -> Self {
        Self {
            phases: [0, 1, 2, 3].map(|k| random(k, 0x0c, seed) * TAU),
        }
    }

    /// The road's surface; it begins level and grows wilder.
    pub(super) fn height(&self, x: f32) -> f32 {
        let [a, b, c, d] = self.phases;
        let wild = 0.25 + 0.75 * ease(x / 3500.0);
        let swell = 74.0 * (x / 420.0 + a).sin() + 46.0 * (x / 205.0 + b).sin();
        let bumps = 9.0 * (x / 74.0 + c).sin() * (0.5 + 0.5 * (x / 900.0 + d).sin());
        480.0 + wild * (swell + bumps)
    }

    /// Rise of y a unit of x.
    pub(super) fn slope(&self, x: f32) -> f32 {
        (self.height(x + 1.0) - self.height(x - 1.0)) * 0.5
    }
}

/// The car in one frame.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Car {
    /// Middle of the rear wheel.
    pub(super) rear: Vec2,
    /// Middle of the front wheel.
    pub(super) front: Vec2,
    /// Turns that the wheels have made.
    pub(super) rolled: f32,
    /// How far the springs are pressed.
    pub(super) sag: f32,
    /// Whether the driven wheel touches the road.
    pub(super) grips: bool,
    /// Frames since either wheel touched the road.
    pub(super) airborne: u32,
    /// Frames of the last flight, and frames since it ended.
    pub(super) landed: (u32, u32),
    /// Speed along the road, units a second.
    pub(super) speed: f32,
    /// 0..1: how far the pedal is down.
    pub(super) throttle: f32,
    /// Point that the camera looks at.
    pub(super) camera: Vec2,
}

impl Car {
    /// Midpoint between the axles.
    pub(super) fn middle(&self) -> Vec2 {
        (self.rear + self.front) * 0.5
    }

    /// Whole turns of the chassis.
    pub(super) fn turns(&self) -> f32 {
        (self.front - self.rear).to_angle() / TAU
    }

    /// Away from the road.
    pub(super) fn up(&self) -> Vec2 {
        let along = (self.front - self.rear).normalize_or(Vec2::X);
        Vec2::new(along.y, -along.x)
    }
}

/// The whole ride: the road and the simulated frames of its first minute.
#[derive(Debug)]
pub(super) struct Ride {
    /// Road of the ride.
    pub(super) road: Road,
    remembered: Vec<Simulation>,
}

impl Ride {
    /// Rides for the first minute.
    pub(super) fn new(seed: u32) -> Self {
        let road = Road::new(seed);
        let first = Simulation::new(&road);
        let rides = std::iter::successors(Some(first), |now| Some(now.stepped(&road)));
        Self {
            road,
            remembered: rides.take(REMEMBERED).collect(),
        }
    }

    /// The car at `frame` and in as many frames before it as there are, `n` at most, oldest first. After the first minute
    /// the ride is stepped on from there, so that it never repeats.
    pub(super) fn until(&self, frame: u64, n: usize) -> Vec<Car> {
        let last = usize::try_from(frame).unwrap_or(usize::MAX);
        let first = (last + 1).saturating_sub(n);
        let known = self.remembered.get(first..).unwrap_or_default();
        let mut cars: Vec<Car> = known.iter().take(last + 1 - first).map(|s| s.car).collect();
        if let (Some(end), true) = (self.remembered.last(), last >= self.remembered.len()) {
            let mut simulation = end.clone();
            for number in self.remembered.len()..=last {
                simulation = simulation.stepped(&self.road);
                if number >= first {
                    cars.push(simulation.car);
                }
            }
        }
        cars
    }
}

/// The car and what its next step needs.
#[derive(Debug, Clone, PartialEq)]
struct Simulation {
    car: Car,
    /// Velocities of the rear and the front wheel, units a second.
    velocities: [Vec2; 2],
    sag_speed: f32,
}

impl Simulation {
    fn new(road: &Road) -> Self {
        let wheel = |x: f32| Vec2::new(x, road.height(x) - WHEEL - 4.0);
        let (rear, front) = (wheel(0.0), wheel(BASE));
        Self {
            car: Car {
                rear,
                front,
                rolled: 0.0,
                sag: 0.0,
                grips: true,
                airborne: 0,
                landed: (0, 1000),
                speed: 0.0,
                throttle: 0.0,
                camera: (rear + front) * 0.5,
            },
            velocities: [Vec2::ZERO; 2],
            sag_speed: 0.0,
        }
    }

    fn stepped(&self, road: &Road) -> Self {
        let mut next = self.clone();
        let touching = (0..STEPS).fold([false; 2], |touched, _| {
            let now = next.step(road);
            [touched[0] | now[0], touched[1] | now[1]]
        });
        let dt = 1.0 / FRAMES_PER_SECOND as f32;
        let car = &mut next.car;
        let velocity = (next.velocities[0] + next.velocities[1]) * 0.5;
        car.speed = velocity.length();
        car.grips = touching[0];
        car.landed.1 += 1;
        if touching[0] || touching[1] {
            if car.airborne > 0 {
                car.landed = (car.airborne, 0);
            }
            car.airborne = 0;
        } else {
            car.airborne += 1;
        }
        // The wheels spin up in the air.
        let spin = if car.grips { car.speed } else { CRUISE * 1.25 };
        car.rolled = (car.rolled + spin * dt / (TAU * WHEEL)).rem_euclid(1.0);
        let wanted = if car.grips {
            (1.35 - car.speed / CRUISE).clamp(0.15, 1.0)
        } else {
            0.0
        };
        car.throttle += (wanted - car.throttle) * 0.12;
        let ahead = car.middle() + Vec2::new(0.28, 0.06) * velocity;
        car.camera += (ahead - car.camera) * Vec2::new(0.5, 0.09) + Vec2::X * velocity.x * dt * 0.5;
        next
    }

    /// One physics step; says which wheels touch the road.
    fn step(&mut self, road: &Road) -> [bool; 2] {
        let dt = 1.0 / (FRAMES_PER_SECOND * STEPS) as f32;
        let before = (self.velocities[0] + self.velocities[1]) * 0.5;
        let mut wheels = [self.car.rear, self.car.front];
        let mut touching = [false; 2];
        for ((wheel, velocity), touches) in wheels
            .iter_mut()
            .zip(&mut self.velocities)
            .zip(&mut touching)
        {
            velocity.y += GRAVITY * dt;
            *wheel += *velocity * dt;
            let along = Vec2::new(1.0, road.slope(wheel.x)).normalize();
            let up = Vec2::new(along.y, -along.x);
            let clearance = (road.height(wheel.x) - wheel.y) * along.x - WHEEL;
            if clearance < 0.5 {
                *touches = true;
                *wheel -= up * clearance.min(0.0);
                // A tyre gives back a tenth.
                *velocity -= up * 1.1 * velocity.dot(up).min(0.0);
                let push = (CRUISE - velocity.dot(along)) * 2.5;
                *velocity += along * push.clamp(-500.0, 640.0) * dt;
            }
        }
        if touching == [false; 2] {
            self.balance(wheels, road, dt);
        }
        self.hold_together(&mut wheels);
        [self.car.rear, self.car.front] = wheels;
        let lifted = ((self.velocities[0] + self.velocities[1]) * 0.5 - before).dot(self.car.up());
        // Springs of 3 turns a second, half of critical damping; the chassis stays behind when the wheels are thrown up.
        let pull = -380.0 * self.car.sag - 19.0 * self.sag_speed;
        self.sag_speed += pull * dt + 0.5 * lifted;
        self.car.sag = (self.car.sag + self.sag_speed * dt).clamp(-7.0, 11.0);
        touching
    }

    /// Leans the driver in the air until the car lies as the road will where it lands.
    fn balance(&mut self, wheels: [Vec2; 2], road: &Road, dt: f32) {
        let axis = (wheels[1] - wheels[0]).normalize_or(Vec2::X);
        let side = Vec2::new(-axis.y, axis.x);
        let ahead = wheels[1].x + self.velocities[1].x * 0.25;
        let wanted = Vec2::new(1.0, road.slope(ahead)).normalize();
        let turning = (self.velocities[1] - self.velocities[0]).dot(side);
        let lean = (axis.perp_dot(wanted) * 1500.0 - turning * 4.0) * dt;
        self.velocities[1] += side * lean;
        self.velocities[0] -= side * lean;
    }

    /// The rod between the axles: neither its length nor its stretching speed survives.
    fn hold_together(&mut self, wheels: &mut [Vec2; 2]) {
        let rod = wheels[1] - wheels[0];
        let axis = rod.normalize_or(Vec2::X);
        let excess = axis * (rod.length() - BASE) * 0.5;
        wheels[0] += excess;
        wheels[1] -= excess;
        let stretching = axis * (self.velocities[1] - self.velocities[0]).dot(axis) * 0.5;
        self.velocities[0] += stretching;
        self.velocities[1] -= stretching;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ride_goes_on_and_never_turns_over() {
        for seed in 1..9 {
            let ride = Ride::new(seed);
            for pair in ride.remembered.windows(120).step_by(60) {
                let (before, after) = (&pair[0].car, &pair[119].car);
                let far = after.middle().x - before.middle().x;
                assert!(far > 300.0, "seed {seed}: {far} units in two seconds");
                assert!(after.up().y < -0.3, "seed {seed}: upright");
            }
        }
    }

    #[test]
    fn ride_beyond_what_is_remembered_continues() {
        let ride = Ride::new(3);
        let cars = ride.until(REMEMBERED as u64 + 1, 4);
        assert_eq!(cars.len(), 4, "as many as asked");
        for pair in cars.windows(2) {
            let far = pair[0].middle().distance(pair[1].middle());
            assert!((0.1..20.0).contains(&far), "{far} units in a frame");
        }
    }
}
