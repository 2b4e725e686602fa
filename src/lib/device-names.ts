/**
 * Names of devices, with or without extension ("Naming Files, Paths, and Namespaces" of Win32),
 * also with spaces before the dot.
 */
const deviceName = /^(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[0-9¹²³]) *(?:\.|$)/i

/** A name that is no Windows device. Adds at most one byte. */
export function withoutDevice(name: string): string {
  return deviceName.test(name) ? `_${name}` : name
}
