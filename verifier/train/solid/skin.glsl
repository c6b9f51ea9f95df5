#version 330
// Skin with creases on the palm, wrinkles and tendons on the back. Joined before the shaders that draw hands.
uniform float creases;
uniform float knuckles;
uniform float mottle;
uniform float palm_lighter;
uniform float seed;
uniform vec3 joints[21];
in vec3 v_rest;
in vec3 v_rest_normal;
in vec3 v_colour;

float hash(vec3 p) {
    p = fract(p * 0.3183099 + vec3(0.11, 0.17, 0.13) + seed);
    p *= 17.0;
    return fract(p.x * p.y * p.z * (p.x + p.y + p.z));
}

float noise(vec3 p) {
    vec3 i = floor(p), f = fract(p);
    f = f * f * (3.0 - 2.0 * f);
    return mix(mix(mix(hash(i), hash(i + vec3(1, 0, 0)), f.x), mix(hash(i + vec3(0, 1, 0)), hash(i + vec3(1, 1, 0)), f.x), f.y),
               mix(mix(hash(i + vec3(0, 0, 1)), hash(i + vec3(1, 0, 1)), f.x), mix(hash(i + vec3(0, 1, 1)), hash(i + vec3(1, 1, 1)), f.x), f.y), f.z);
}

float line(vec2 p, vec2 a, vec2 b) {
    vec2 d = b - a;
    return length(p - a - d * clamp(dot(p - a, d) / dot(d, d), 0.0, 1.0));
}

vec3 skin() {
    vec3 base = v_colour;
    float back = clamp(0.5 + 0.9 * v_rest_normal.z, 0.0, 1.0);
    bool on_hand = v_rest.y > -8.0;
    float palm = on_hand ? 1.0 - back : 0.0;
    base = mix(base, mix(base, vec3(0.62, 0.66, 0.86), 0.55) + 0.05, palm_lighter * palm * 2.0);
    base *= 1.0 + mottle * (noise(v_rest * 0.09) - 0.5) * 2.0 + 0.5 * mottle * (noise(v_rest * 0.5) - 0.5);
    float dark = 0.0;
    for (int finger = 0; finger < 5; finger++) {
        for (int part = (finger == 0 ? 1 : 0); part < 3; part++) {
            vec3 at = joints[1 + 4 * finger + part], next = joints[2 + 4 * finger + part];
            vec3 along = normalize(next - at);
            vec3 gap = v_rest - at;
            float aside = length(gap - along * dot(gap, along));
            if (aside > 14.0) continue;
            float over = dot(gap, along) + 0.8 * (noise(v_rest * 0.6) - 0.5);
            if (part > 0) dark = max(dark, creases * palm * smoothstep(1.3, 0.3, abs(over)));
            if (part == 1 || finger == 0) {
                float folds = 0.5 + 0.5 * sin(over * 2.6);
                dark = max(dark, knuckles * back * smoothstep(8.0, 1.0, abs(over)) * (0.45 + 0.55 * folds));
            }
            if (part == 2) dark = max(dark, 0.4 * knuckles * back * smoothstep(3.0, 0.5, abs(over)));
            if (part == 0) dark = max(dark, 0.5 * knuckles * back * smoothstep(9.0, 2.0, length(gap.xy)));
        }
    }
    if (on_hand) {
        vec2 p = v_rest.xy + 2.0 * vec2(noise(v_rest * 0.11) - 0.5, noise(v_rest * 0.13 + 7.0) - 0.5);
        vec2 index = joints[5].xy, middle = joints[9].xy, ring = joints[13].xy, little = joints[17].xy, thumb = joints[1].xy;
        float d = line(p, little + vec2(6, -12), mix(ring, middle, 0.5) + vec2(0, -14));
        d = min(d, line(p, mix(ring, middle, 0.5) + vec2(0, -14), mix(index, middle, 0.5) + vec2(0, -4)));
        d = min(d, line(p, index + vec2(-6, -18), mix(ring, little, 0.5) + vec2(0, -40)));
        d = min(d, line(p, index + vec2(-6, -18), mix(thumb, middle, 0.55)));
        d = min(d, line(p, mix(thumb, middle, 0.55), vec2(joints[0].x * 0.5 - 4.0, 10.0)));
        dark = max(dark, creases * palm * smoothstep(1.7, 0.4, d));
        float tendon = 1e3;
        for (int finger = 1; finger < 5; finger++) tendon = min(tendon, line(p, joints[1 + 4 * finger].xy, vec2(0, 4)));
        base *= 1.0 + 0.25 * knuckles * back * (smoothstep(5.0, 1.0, tendon) - 0.4);
    }
    return base * (1.0 - dark);
}
