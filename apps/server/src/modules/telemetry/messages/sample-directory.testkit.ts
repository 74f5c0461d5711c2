import type { DeviceKind } from '@isotherm/contract/devices'
import { createOrderedDevices } from '../../devices/directory/ordered-devices.ts'
import type { DeviceDirectory, DirectoryEntry } from '../../devices/index.ts'

/** A device directory for tests: concentrators c1 and c2 with valves behind them, all of tenant `demo`. */
export function createTestDirectory(
  valvesEach = 3,
): DeviceDirectory & { readonly all: readonly DirectoryEntry[] } {
  const all: DirectoryEntry[] = []
  const add = (serial: string, kind: DeviceKind, path: string, concentratorId?: number): number => {
    const id = all.length + 1
    all.push({ id, tenant: 'demo', serial, kind, path, concentratorId, periodS: 5 })
    return id
  }
  for (const c of [1, 2]) {
    const concentratorId = add(`c${c}`, 'concentrator', `/1/${c}/`)
    for (let v = 1; v <= valvesEach; v++) add(`c${c}v${v}`, 'valve', `/1/${c}/${c}${v}/`, concentratorId)
  }
  const bySerial = new Map(all.map((entry) => [`${entry.tenant}/${entry.serial}`, entry]))
  const byId = new Map(all.map((entry) => [entry.id, entry]))
  const listed = {
    entries: () => all,
    findById: (id: number) => byId.get(id),
    onPlaced: () => () => undefined,
  }
  return {
    ...listed,
    all,
    find: (tenant, serial) => bySerial.get(`${tenant}/${serial}`),
    below: () => all,
    ordered: createOrderedDevices(listed),
    gatewayOf: (entry) => byId.get(entry.concentratorId ?? entry.id)?.serial ?? entry.serial,
    countBelow: () => undefined,
    readChanged: async () => undefined,
    onLoginsEnded: () => undefined,
  }
}

/** A telemetry message with one temperature and one opening for a device. */
export const toMessage = (
  boot: number,
  seq: number,
  ids: readonly string[],
  ts: number,
  openingPct = 40,
): string =>
  JSON.stringify({
    v: 1,
    boot,
    seq,
    ts,
    d: ids.map((id) => ({ id, ts, m: { 'valve.opening': openingPct, 'temp.return': 38.5 } })),
  })
