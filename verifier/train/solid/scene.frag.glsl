// Follows skin.glsl: skin, cloth, or the ground's picture; two lamps, one shadow.
uniform sampler2D ground;
uniform sampler2D shadows;
uniform vec3 eye;
uniform vec3 toward;
uniform float strength;
uniform vec3 second;
uniform float second_strength;
uniform float around;
uniform vec3 tint;
uniform float soft;
uniform float gloss;
in vec3 v_position;
in vec3 v_normal;
in vec3 v_lit;
flat in float v_kind;
out vec4 shown;

float lit(vec3 n) {
    float bias = 0.0035 + 0.006 * (1.0 - max(0.0, dot(n, toward)));
    vec2 texel = soft / vec2(textureSize(shadows, 0));
    float sum = 0.0;
    for (int i = -2; i <= 2; i++)
        for (int j = -2; j <= 2; j++)
            sum += texture(shadows, v_lit.xy + vec2(i, j) * texel).r < v_lit.z - bias ? 0.0 : 1.0;
    return sum / 25.0;
}

void main() {
    vec3 n = normalize(v_normal);
    vec3 to_eye = normalize(eye - v_position);
    if (dot(n, to_eye) < 0.0) n = -n;
    vec3 base = v_colour;
    float shine = 0.0;
    if (v_kind < 0.5) { base = skin(); shine = gloss; }
    else if (v_kind < 1.5) {
        float weave = noise(v_rest * vec3(0.9, 0.9, 0.9)) - 0.5;
        float fold = noise(v_rest * vec3(0.05, 0.12, 0.05)) - 0.5;
        base *= 1.0 + 0.15 * weave + 0.5 * fold;
        n = normalize(n + 0.5 * fold * v_rest_normal.yzx);
    }
    else if (v_kind < 2.5) base = texture(ground, v_rest.xy).rgb;
    else shine = gloss * 2.0;
    float shadow = lit(n);
    float one = max(0.0, dot(n, toward)) * strength * shadow;
    float other = max(0.0, dot(n, second)) * second_strength;
    float hemisphere = around * (0.75 + 0.25 * n.z);
    vec3 colour = base * tint * (one + other + hemisphere);
    vec3 half_way = normalize(to_eye + toward);
    colour += shine * shadow * strength * pow(max(0.0, dot(n, half_way)), 24.0);
    shown = vec4(clamp(colour, 0.0, 1.0), 1.0);
}
