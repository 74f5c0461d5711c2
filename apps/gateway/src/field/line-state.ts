export interface LineState {
  readonly isOpen: boolean
  readonly devices: number
  /** Devices that did not answer for some periods. */
  readonly silent: number
  /** Last answer of any device, Unix ms. */
  readonly answeredAt: number | undefined
}

/** State of a line from its devices, whatever they are on. */
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
