// Follows skin.glsl: prints, felt, skin, cloth and plain things under two lamps that both cast shadows.
uniform sampler2DArray prints;
uniform sampler2D felt;
uniform sampler2D shadows;
uniform sampler2D shadows_two;
uniform vec3 eye;
uniform vec3 toward;
uniform float strength;
uniform vec3 second;
uniform float second_strength;
uniform float around;
uniform vec3 tint;
uniform float soft;
uniform float texel_mm;
uniform float reach;
uniform float nap;
in vec3 v_position;
in vec3 v_normal;
in vec3 v_texel;
in vec3 v_lit;
in vec3 v_lit_two;
flat in vec3 v_look;
out vec4 shown;

float lit(sampler2D map, vec3 at, float slope) {
    float bias = (0.35 + 1.3 * texel_mm * (0.5 + soft) * slope) / (2.0 * reach);
    vec2 texel = soft / vec2(textureSize(map, 0));
    float sum = 0.0;
    for (int i = -1; i <= 2; i++)
        for (int j = -1; j <= 2; j++)
            sum += texture(map, at.xy + (vec2(i, j) - 0.5) * texel).r < at.z - bias ? 0.0 : 1.0;
    return sum / 16.0;
}

float slope_to(vec3 n, vec3 lamp) {
    float c = clamp(dot(n, lamp), 0.05, 1.0);
    return sqrt(1.0 - c * c) / c;
}

void main() {
    vec3 n = normalize(v_normal);
    vec3 to_eye = normalize(eye - v_position);
    if (dot(n, to_eye) < 0.0) n = -n;
    vec3 base = v_colour;
    float kind = v_look.x, gloss = v_look.z, sharp = 40.0;
    if (kind < 0.5) { base = skin(); sharp = 20.0; }
    else if (kind < 1.5) {
        float weave = noise(v_rest * 0.9) - 0.5;
        float fold = noise(v_rest * vec3(0.05, 0.12, 0.05)) - 0.5;
        base *= 1.0 + 0.15 * weave + 0.5 * fold;
        n = normalize(n + 0.5 * fold * v_rest_normal.yzx);
    }
    else if (kind < 2.5) {
        vec4 print = texture(prints, v_texel);
        if (print.a < 0.5) discard;
        base *= print.rgb;
    }
    else if (kind > 3.5) {
        base = texture(felt, v_texel.xy).rgb;
        base *= 1.0 + nap * (noise(v_position * 1.3) - 0.5) + 0.6 * nap * (noise(v_position * 0.07) - 0.5);
    }
    float one = max(0.0, dot(n, toward)) * strength * lit(shadows, v_lit, slope_to(n, toward));
    float other = max(0.0, dot(n, second)) * second_strength * lit(shadows_two, v_lit_two, slope_to(n, second));
    float hemisphere = around * (0.72 + 0.28 * n.z);
    vec3 colour = base * tint * (one + other + hemisphere);
    colour += gloss * (one * pow(max(0.0, dot(n, normalize(to_eye + toward))), sharp)
                     + other * pow(max(0.0, dot(n, normalize(to_eye + second))), sharp));
    shown = vec4(clamp(colour, 0.0, 1.0), 1.0);
}
