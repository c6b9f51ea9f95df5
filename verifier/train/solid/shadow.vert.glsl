#version 330
uniform mat4 light;
in vec3 position;

void main() {
    gl_Position = light * vec4(position, 1.0);
}
