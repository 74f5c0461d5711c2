const pad = (value: number): string => String(value).padStart(2, '0')

/** Value of a datetime-local field for an instant (Unix ms), in the viewer's zone. Date.parse is the inverse. */
export function toLocalInput(instantMs: number): string {
  const at = new Date(instantMs)
  const day = `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`
  return `${day}T${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`
}
