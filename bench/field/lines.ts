import type { RegistryFile } from '@isotherm/contract/network/registry-file'

const pad = (index: number, digits: number): string => String(index).padStart(digits, '0')
/** Registration of the transparent unit of a line. `line`: index from 0. */
export const toRegistration = (line: number): string => `8677250${pad(line, 8)}`
/** Address of the meter on a line, 14 digits. */
export const toBusAddress = (line: number): string => `0000${pad(line, 10)}`

/** The configuration of a gateway whose lines have one meter each; `serials` in the order of the lines. */
export const toLinesConfig = (serials: readonly string[], port: number, periodS: number): object => ({
  v: 1,
  dtu: { host: '127.0.0.1', port },
  lines: serials.map((serial, line) => ({
    driver: 'dtu-tcp',
    id: `L${line}`,
    registration: toRegistration(line),
    devices: [{ serial, address: toBusAddress(line), profile: 'heat-meter-cjt188', pollPeriodS: periodS }],
  })),
})

/** Serials of the meters behind a concentrator of a registry. */
export const listMeters = ({ devices }: RegistryFile, concentrator: string): readonly string[] =>
  devices.flatMap((device) => (device.concentrator === concentrator ? [device.serial] : []))
