import type { DeviceKind } from '@isotherm/contract/devices'
import { toImei } from '@isotherm/kernel/imei'

/** A device before it is stored. */
export interface MadeDevice {
  readonly serial: string
  readonly kind: DeviceKind
  readonly name: string
  readonly model: string
  /** Serial of the concentrator it speaks through; absent for one with a link of its own. */
  readonly concentrator?: string
  readonly imei?: string
  readonly meterNo?: string
}

/** How often each kind reports, s. */
export const reportPeriodS: Readonly<Record<DeviceKind, number>> = {
  valve: 900,
  'heat-meter': 900,
  'room-sensor': 900,
  station: 60,
  concentrator: 300,
}

/** Openings a valve may be told to take, %. */
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
}

/** A made-up type allocation code; 86 stands for China. The last digits count the millions. */
const TYPE_ALLOCATION = 86_400_200
const RADIOS_PER_ALLOCATION = 1_000_000

const digits = (value: number, length: number): string => String(value).padStart(length, '0')

/** Makes the devices of one company: numbers count up, so that none comes twice. */
export function createEquipment() {
  const counts = new Map<DeviceKind, number>()
  let radios = 0
  let meters = 0

  function take(kind: DeviceKind): string {
    const count = (counts.get(kind) ?? 0) + 1
    counts.set(kind, count)
    return `${serialStarts[kind]}${digits(count, 8)}`
  }
  function takeImei(): string {
    const allocation = TYPE_ALLOCATION + Math.floor(radios / RADIOS_PER_ALLOCATION)
    const imei = toImei(`${allocation}${digits(radios % RADIOS_PER_ALLOCATION, 6)}`)
    radios += 1
    return imei
  }
  function takeMeterNo(): string {
    meters += 1
    return `20${digits(meters, 8)}`
  }
  const through = (concentrator: string) => ({ concentrator })
  const meter = (model: string, name: string, concentrator: string): MadeDevice => ({
    serial: take('heat-meter'),
    kind: 'heat-meter',
    name,
    model,
    meterNo: takeMeterNo(),
    ...through(concentrator),
  })
  const concentrator = (name: string): MadeDevice => ({
    serial: take('concentrator'),
    kind: 'concentrator',
    name,
    model: models.concentrator,
    imei: takeImei(),
  })

  return {
    /** Of a heat station: concentrator, controller and the meter of all it gives. */
    ofStation(station: string): readonly MadeDevice[] {
      const link = concentrator(`${station}集中器`)
      return [
        link,
        {
          serial: take('station'),
          kind: 'station',
          name: `${station}控制柜`,
          model: models.station,
          ...through(link.serial),
        },
        meter(models.stationMeter, `${station}总表`, link.serial),
      ]
    },

    /** Of a building: the concentrator all below speaks through, first, and the building's meter. */
    ofBuilding(building: string): readonly [MadeDevice, MadeDevice] {
      const link = concentrator(`${building}集中器`)
      return [link, meter(models.buildingMeter, `${building}热量表`, link.serial)]
    },

    /** Of a unit: its valve. */
    ofUnit: (name: string, link: string): readonly MadeDevice[] => [
      {
        serial: take('valve'),
        kind: 'valve',
        name: `${name}调节阀`,
        model: models.unitValve,
        ...through(link),
      },
    ],

    /** Of a household: heat meter and room sensor, and in some areas a valve. */
    ofHousehold(
      name: string,
      link: string,
      { hasValve, hasRadioSensor }: { readonly hasValve: boolean; readonly hasRadioSensor: boolean },
    ): readonly MadeDevice[] {
      const sensor = { serial: take('room-sensor'), kind: 'room-sensor', name: `${name}室温采集器` } as const
      const valve: MadeDevice[] = hasValve
        ? [
            {
              serial: take('valve'),
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
          ? { ...sensor, model: models.radioSensor, imei: takeImei() }
          : { ...sensor, model: models.wiredSensor, ...through(link) },
        ...valve,
      ]
    },
  }
}

export type Equipment = ReturnType<typeof createEquipment>
