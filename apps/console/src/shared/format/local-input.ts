const pad = (value: number): string => String(value).padStart(2, '0')

/** An instant (Unix ms) as a datetime-local field of the viewer's zone writes it; Date.parse reads it back. */
export function toLocalInput(instantMs: number): string {
  const at = new Date(instantMs)
  const day = `${at.getFullYear()}-${pad(at.getMonth() + 1)}-${pad(at.getDate())}`
  return `${day}T${pad(at.getHours())}:${pad(at.getMinutes())}:${pad(at.getSeconds())}`
}
