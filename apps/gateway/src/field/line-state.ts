export interface LineState {
  readonly isOpen: boolean
  readonly devices: number
  /** Number of devices that did not answer for several periods. */
  readonly silent: number
  /** Last answer of any device, Unix ms. */
  readonly answeredAt: number | undefined
}

/** Computes the state of a line from the states of its devices. */
export function toLineState<Device extends { readonly answeredAt: number | undefined }>(
  isOpen: boolean,
  devices: readonly Device[],
  isSilent: (device: Device) => boolean,
): LineState {
  return {
    isOpen,
    devices: devices.length,
    silent: devices.filter(isSilent).length,
    answeredAt: devices.reduce<number | undefined>(
      (latest, { answeredAt }) => (answeredAt === undefined ? latest : Math.max(latest ?? 0, answeredAt)),
      undefined,
    ),
  }
}
