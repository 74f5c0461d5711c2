/**
 * Why there is no picture of a camera. `insecure`: the page came by HTTP, so the browser gives no camera. `denied`: the user or the
 * browser refused it. `none`: the device has no camera. `busy`: another program uses it, or it failed.
 */
export type CameraFault = 'insecure' | 'denied' | 'none' | 'busy'

const FAULTS: ReadonlyMap<string, CameraFault> = new Map([
  ['NotAllowedError', 'denied'],
  ['SecurityError', 'denied'],
  ['NotFoundError', 'none'],
  ['OverconstrainedError', 'none'],
])

/** Whether this page may ask for a camera at all. */
export const hasCameras = (): boolean => window.isSecureContext && 'mediaDevices' in navigator

export const toCameraFault = (error: unknown): CameraFault =>
  (error instanceof Error || error instanceof DOMException ? FAULTS.get(error.name) : undefined) ?? 'busy'

/** Opens the rear camera of a phone, or the only camera of another device. Asks the user for it. */
export const openCamera = (): Promise<MediaStream> =>
  navigator.mediaDevices.getUserMedia({
    audio: false,
    video: { facingMode: { ideal: 'environment' }, width: { ideal: 1_280 }, height: { ideal: 720 } },
  })

export function closeCamera(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop()
}
