import {
  type CjtTarget,
  encodeCjtOpening,
  encodeCjtRead,
  encodeCjtValve,
  toCjtAddress,
} from '@isotherm/codecs/cjt188/encode'
import {
  encodeApplicationReset,
  encodeReqUd2,
  encodeSelect,
  encodeSndNke,
} from '@isotherm/codecs/mbus/encode'
import { mbusAddresses } from '@isotherm/codecs/mbus/frame'
import { encodeRtu, encodeTcp } from '@isotherm/codecs/modbus/encode'
import type { ModbusPdu } from '@isotherm/codecs/modbus/pdu'
import { toRegisters } from '@isotherm/codecs/modbus/registers'
import type { DeviceProfile, ProfileRegister } from '@isotherm/contract/device-profile'
import { fromMetricUnit } from './convert-units.ts'
import { writeDuration, writePayload } from './lorawan-payload.ts'

/** A device on its bus. */
export interface BusDevice {
  /** Digits of the address: 14 for CJ/T 188, 1 to 250 or eight digits for M-Bus, the unit for Modbus, the DevEUI for LoRaWAN. */
  readonly address: string
  /** Number of the poll or command, from which sequence, transaction and FCB follow. */
  readonly sequence: number
}

type Bus = DeviceProfile['bus']

/** Maximum number of blocks in a Modbus poll. */
const MAX_BLOCKS = 16

/** Each request of a poll and of the next ones has its own transaction: a late answer must not pass for another one. */
const toTransaction = (sequence: number, index: number): number => (sequence * MAX_BLOCKS + index) & 0xffff

function toCjtTarget(
  bus: Extract<Bus, { driver: 'cjt188' }>,
  { address, sequence }: BusDevice,
): CjtTarget | undefined {
  const checked = toCjtAddress(address)
  return checked === undefined
    ? undefined
    : {
        address: checked,
        type: Number.parseInt(bus.meterType, 16),
        order: bus.identifierOrder,
        sequence: sequence & 0xff,
      }
}

function toUnit(address: string, max: number): number | undefined {
  const unit = Number(address)
  return /^\d{1,3}$/.test(address) && unit <= max ? unit : undefined
}

function listMbusRequests(bus: Extract<Bus, { driver: 'mbus' }>, { address, sequence }: BusDevice) {
  const fcb = sequence % 2 === 1
  if (bus.addressing === 'secondary') {
    const select = encodeSelect({ id: address })
    if (select === undefined) return undefined
    const reset = bus.resetsFirst ? [encodeApplicationReset(mbusAddresses.selected)] : []
    return [encodeSndNke(mbusAddresses.selected), select, ...reset, encodeReqUd2(mbusAddresses.selected, fcb)]
  }
  const unit = toUnit(address, 250)
  if (unit === undefined) return undefined
  return [...(bus.resetsFirst ? [encodeApplicationReset(unit)] : []), encodeReqUd2(unit, fcb)]
}

const isDevEui = (address: string): boolean => /^[0-9a-f]{16}$/i.test(address)

/** Frames of one poll in their order; each is answered before the next is sent. Undefined if the address is not of the driver's form. */
export function listRequests({ bus }: DeviceProfile, device: BusDevice): readonly Uint8Array[] | undefined {
  switch (bus.driver) {
    case 'cjt188': {
      const target = toCjtTarget(bus, device)
      return (
        target && bus.identifiers.map((identifier) => encodeCjtRead(target, Number.parseInt(identifier, 16)))
      )
    }
    case 'mbus':
      return listMbusRequests(bus, device)
    // Its devices report by themselves.
    case 'lorawan':
      return isDevEui(device.address) ? [] : undefined
    case 'properties':
      return []
    case 'modbus': {
      const unit = toUnit(device.address, 247)
      if (unit === undefined) return undefined
      return bus.blocks.map(({ fc, start, count }, index) => {
        const pdu: ModbusPdu = { kind: 'read-request', fc, start, count }
        return bus.transport === 'tcp'
          ? encodeTcp(toTransaction(device.sequence, index), unit, pdu)
          : encodeRtu(unit, pdu)
      })
    }
  }
}

/** Targets that a command sets: an opening in %, a head in kPa, an offset of the supply temperature in K. */
const targetMetrics = { opening: 'valve.opening', head: 'pump.target', offset: 'supply.offset' } as const
export type CommandTarget = keyof typeof targetMetrics

function toWrite(register: ProfileRegister, target: CommandTarget, value: number): ModbusPdu | undefined {
  const inUnit = fromMetricUnit(targetMetrics[target], value, register.unit)
  if (inUnit === undefined) return undefined
  const registers = toRegisters((inUnit - register.offset) / register.scale, register.type, register.order)
  const [only] = registers ?? []
  if (registers === undefined || only === undefined) return undefined
  return registers.length === 1
    ? { kind: 'write-register', fc: 6, address: register.address, value: only }
    : { kind: 'write-registers-request', fc: 16, start: register.address, registers }
}

/** Whether a device with the profile can close its valve by itself after a time. */
export const closesByItself = ({ bus }: DeviceProfile): boolean =>
  bus.driver === 'lorawan' && bus.commands.timedOpening !== undefined

/**
 * The frame that opens a valve fully for `maxSec` seconds, never longer, after which the device closes it by itself. Undefined if the
 * profile cannot, the opening is not 100 %, or the time does not fit or is shorter than one step of the device.
 */
export function encodeTimedOpening(
  { bus }: DeviceProfile,
  opening: number,
  maxSec: number,
): Uint8Array | undefined {
  const command = bus.driver === 'lorawan' ? bus.commands.timedOpening : undefined
  return command === undefined || opening !== 100 ? undefined : writeDuration(command, maxSec)
}

/**
 * The frame that sets a target. Undefined if the profile has no such command, the address is not of its form, or the value cannot be
 * expressed; an on/off valve takes 0 and 100 only.
 */
export function encodeCommand(
  { bus }: DeviceProfile,
  device: BusDevice,
  target: CommandTarget,
  value: number,
): Uint8Array | undefined {
  if (bus.driver === 'cjt188') {
    const to = toCjtTarget(bus, device)
    if (to === undefined || bus.valve === undefined || target !== 'opening') return undefined
    if (bus.valve.form === 'vendor-opening') return encodeCjtOpening(to, value, bus.valve.calibrationDay)
    return value === 0 || value === 100 ? encodeCjtValve(to, value === 100 ? 'open' : 'close') : undefined
  }
  if (bus.driver === 'mbus' || bus.driver === 'properties') return undefined
  if (bus.driver === 'lorawan') {
    const command = bus.commands[target]
    const inUnit = command && fromMetricUnit(targetMetrics[target], value, command.unit)
    return command === undefined || inUnit === undefined ? undefined : writePayload(command, inUnit)
  }
  const register = bus.commands[target]
  const unit = toUnit(device.address, 247)
  const pdu = register && toWrite(register, target, value)
  if (pdu === undefined || unit === undefined) return undefined
  return bus.transport === 'tcp'
    ? encodeTcp(toTransaction(device.sequence, 0), unit, pdu)
    : encodeRtu(unit, pdu)
}

/** A command in the words of a platform's product model. */
export interface PropertyWrite {
  readonly service: string
  readonly command: string
  readonly parameter: string
  readonly value: number
}

/** The command of a profile of the driver `properties` that sets a target; undefined if it has none or the value cannot be expressed. */
export function encodePropertyCommand(
  { bus }: DeviceProfile,
  target: CommandTarget,
  value: number,
): PropertyWrite | undefined {
  const found = bus.driver === 'properties' ? bus.commands[target] : undefined
  const inUnit = found && fromMetricUnit(targetMetrics[target], value, found.unit)
  if (found === undefined || inUnit === undefined) return undefined
  const { service, command, parameter, scale, offset } = found
  return { service, command, parameter, value: Number(((inUnit - offset) / scale).toPrecision(12)) }
}
