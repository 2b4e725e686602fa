/**
 * Names of devices, with or without extension ("Naming Files, Paths, and Namespaces" of Win32).
 * Spaces in front of the dot do not save one.
 */
const deviceName = /^(?:CON|PRN|AUX|NUL|CONIN\$|CONOUT\$|(?:COM|LPT)[0-9¹²³]) *(?:\.|$)/i

/** A name that is no device of Windows. At most one byte longer than before. */
export function withoutDevice(name: string): string {
  return deviceName.test(name) ? `_${name}` : name
}
