import type { DeviceKind } from '@isotherm/contract/devices'
import { toImei } from '@isotherm/kernel/imei'

/** A device before it is stored. */
export interface GeneratedDevice {
  readonly serial: string
  readonly kind: DeviceKind
  readonly name: string
  readonly model: string
  /** Serial of its concentrator; absent for a device with its own connection. */
  readonly concentrator?: string
  readonly imei?: string
  readonly meterNo?: string
}

/** Reporting period of each kind, s. */
export const reportPeriodS: Readonly<Record<DeviceKind, number>> = {
  valve: 900,
  'heat-meter': 900,
  'room-sensor': 900,
  station: 60,
  concentrator: 300,
  sensor: 900,
}

/** Opening limits of a valve, %. */
export const valveLimits = { minPct: 10, maxPct: 100 } as const

const models = {
  station: 'HY-SC100',
  concentrator: 'HY-DC200',
  stationMeter: 'HY-UH80',
  buildingMeter: 'HY-UH50',
  flatMeter: 'HY-UH20',
  unitValve: 'DN50 Kvs40',
  flatValve: 'DN20 Kvs4',
  wiredSensor: 'HY-RT10',
  radioSensor: 'HY-RT20N',
} as const

/** First digits of the serials of a kind. */
const serialStarts: Readonly<Record<DeviceKind, string>> = {
  valve: '11',
  'heat-meter': '22',
  'room-sensor': '33',
  station: '44',
  concentrator: '55',
  sensor: '66',
}

/** A fictional type allocation code; 86 is China. It increases by 1 for each million of radios. */
const TYPE_ALLOCATION = 86_400_200
const RADIOS_PER_ALLOCATION = 1_000_000

const digits = (value: number, length: number): string => String(value).padStart(length, '0')

/** Generates the devices of one company. All numbers count up, so each is unique. */
export function createEquipment() {
  const counts = new Map<DeviceKind, number>()
  let radios = 0
  let meters = 0

  function nextSerial(kind: DeviceKind): string {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return `${serialStarts[kind]}${digits(count, 8)}`
  }
  function nextImei(): string {
    const allocation = TYPE_ALLOCATION + Math.floor(radios / RADIOS_PER_ALLOCATION)
    const imei = toImei(`${allocation}${digits(radios % RADIOS_PER_ALLOCATION, 6)}`)
    radios += 1
    return imei
  }
  function nextMeterNo(): string {
    meters += 1
    return `20${digits(meters, 8)}`
  }
  const through = (concentrator: string) => ({ concentrator })
  const meter = (model: string, name: string, concentrator: string): GeneratedDevice => ({
    serial: nextSerial('heat-meter'),
    kind: 'heat-meter',
    name,
    model,
    meterNo: nextMeterNo(),
    ...through(concentrator),
  })
  const concentrator = (name: string): GeneratedDevice => ({
    serial: nextSerial('concentrator'),
    kind: 'concentrator',
    name,
    model: models.concentrator,
    imei: nextImei(),
  })

  return {
    /** Devices of a heat station: concentrator, controller and main meter. */
    ofStation(station: string): readonly GeneratedDevice[] {
      const link = concentrator(`${station}集中器`)
      return [
        link,
        {
          serial: nextSerial('station'),
          kind: 'station',
          name: `${station}控制柜`,
          model: models.station,
          ...through(link.serial),
        },
        meter(models.stationMeter, `${station}总表`, link.serial),
      ]
    },

    /** Devices of a building: the concentrator of all its devices, first, and the building's meter. */
    ofBuilding(building: string): readonly [GeneratedDevice, GeneratedDevice] {
      const link = concentrator(`${building}集中器`)
      return [link, meter(models.buildingMeter, `${building}热量表`, link.serial)]
    },

    /** Devices of a unit: its valve. */
    ofUnit: (name: string, link: string): readonly GeneratedDevice[] => [
      {
        serial: nextSerial('valve'),
        kind: 'valve',
        name: `${name}调节阀`,
        model: models.unitValve,
        ...through(link),
      },
    ],

    /** Devices of a household: heat meter and room sensor, and in some areas a valve. */
    ofHousehold(
      name: string,
      link: string,
      { hasValve, hasRadioSensor }: { readonly hasValve: boolean; readonly hasRadioSensor: boolean },
    ): readonly GeneratedDevice[] {
      const sensor = {
        serial: nextSerial('room-sensor'),
        kind: 'room-sensor',
        name: `${name}室温采集器`,
      } as const
      const valve: GeneratedDevice[] = hasValve
        ? [
            {
              serial: nextSerial('valve'),
              kind: 'valve',
              name: `${name}户阀`,
              model: models.flatValve,
              ...through(link),
            },
          ]
        : []
      return [
        meter(models.flatMeter, `${name}户用热量表`, link),
        hasRadioSensor
          ? { ...sensor, model: models.radioSensor, imei: nextImei() }
          : { ...sensor, model: models.wiredSensor, ...through(link) },
        ...valve,
      ]
    },
  }
}

export type Equipment = ReturnType<typeof createEquipment>
