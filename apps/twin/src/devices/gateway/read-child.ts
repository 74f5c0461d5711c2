import { distortDisplay, distortSensors, type FrozenValues, type Shown } from '../../faults/distort.ts'
import { isFlat } from '../models/battery.ts'
import { readFieldSensor } from '../models/field-sensor.ts'
import { readMeter } from '../models/heat-meter.ts'
import { readRoom } from '../models/room-sensor.ts'
import { readStation } from '../models/station-device.ts'
import { isSilent, readValve } from '../models/valve-device.ts'
import type { Child, FieldGateway } from './field-gateway.ts'

const SIGNAL_DBM = -67

/** Values of a child's sensors, with sensor faults; a meter applies them inside its calculator. */
function measure(gateway: FieldGateway, child: Child, simTimeS: number): Shown {
  const { plant, faults } = gateway
  const wrong = faults.of(child.serial)
  if (child.kind === 'heat-meter') return readMeter(child.device, plant, wrong, simTimeS)
  const shown = readOther(gateway, child)
  if (wrong.length > 0) distortSensors(wrong, shown, simTimeS)
  return shown
}

function readOther({ plant }: FieldGateway, child: Exclude<Child, { kind: 'heat-meter' }>): Shown {
  if (child.kind === 'valve') return readValve(child.device, plant)
  if (child.kind === 'room-sensor') return readRoom(child.device, plant)
  if (child.kind === 'sensor') return readFieldSensor(child.device, plant)
  return child.kind === 'station' ? readStation(child.device, plant) : { rssi: SIGNAL_DBM }
}

function frozenValuesOf({ frozen }: FieldGateway, serial: string): FrozenValues {
  const own = frozen.get(serial) ?? new Map<string, number>()
  frozen.set(serial, own)
  return own
}

/** Whether a child does not answer: a fault, or an empty battery. */
export const isUnresponsive = ({ faults }: FieldGateway, child: Child): boolean => {
  if (child.kind === 'valve') return isSilent(child.device, faults)
  if (child.kind === 'room-sensor' && isFlat(child.device.battery)) return true
  return child.kind !== 'concentrator' && faults.find(child.serial, 'offline') !== undefined
}

/** Present values of a child by metric name; undefined if it does not answer. */
export function readChild(gateway: FieldGateway, child: Child, simTimeS: number): Shown | undefined {
  if (isUnresponsive(gateway, child)) return undefined
  const shown = measure(gateway, child, simTimeS)
  const wrong = gateway.faults.of(child.serial)
  if (wrong.length > 0 || gateway.frozen.has(child.serial)) {
    const frozen = frozenValuesOf(gateway, child.serial)
    distortDisplay(wrong, shown, frozen, gateway.noise.draw)
    if (frozen.size === 0) gateway.frozen.delete(child.serial)
  }
  return shown
}
