import type { DeviceKind } from './devices.ts'

/**
 * The metric registry: every quantity that a device can report, declared once (ADR 112). Ingest checks, storage,
 * tables, charts, exports and docs/reference derive from it. The key is what messages say; they have no units
 * (docs/reference/mqtt.md, section 9).
 */
export interface MetricDefinition {
  /** Stored; never changes and is never used again. */
  readonly id: number
  /** Its name for users. */
  readonly zh: string
  readonly en: string
  /** Empty for a count. */
  readonly unit:
    | ''
    | 'kWh'
    | 'm³'
    | 'kW'
    | 'm³/h'
    | '°C'
    | 'K'
    | 'kPa'
    | '%'
    | 'V'
    | 'dBm'
    | 'h'
    | 'mm'
    | 'm/s'
    | 'W/m²'
  /** Range of the sensor: a reading outside it is marked out of range. */
  readonly range: readonly [number, number]
  /** Decimals shown. */
  readonly decimals: number
  /** Kinds of device that can report it. */
  readonly kinds: readonly DeviceKind[]
  /** A register that only rises: its value for a span of time is the increase in it. */
  readonly isCounter?: true
}

const meters = ['heat-meter'] as const
const stations = ['station'] as const
const valves = ['valve'] as const
const rooms = ['room-sensor'] as const
const powered = ['heat-meter', 'station'] as const
const pressed = ['station', 'valve', 'sensor'] as const
/** Devices in a pipe; a household's valve can measure what a meter measures. */
const wet = ['valve', 'heat-meter', 'station'] as const
const outdoors = ['station', 'concentrator', 'sensor'] as const
/** Meters of water: those of heat, and those of irrigation. */
const volumes = ['heat-meter', 'sensor'] as const
const flows = [...wet, 'sensor'] as const
/** Weather stations: controllers of pump houses, and sensors of their own. */
const weather = ['station', 'sensor'] as const
const probes = ['valve', 'sensor'] as const
const gateways = ['concentrator'] as const
const any = ['valve', 'heat-meter', 'room-sensor', 'station', 'concentrator', 'sensor'] as const

/** Lowest room temperature that heating ordinances allow, °C. */
export const LEGAL_ROOM_C = 18

export const metrics = {
  'heat.energy': {
    id: 1,
    zh: '累计热量',
    en: 'Heat',
    unit: 'kWh',
    range: [0, 1e9],
    decimals: 0,
    kinds: meters,
    isCounter: true,
  },
  'heat.volume': {
    id: 2,
    zh: '累计流量',
    en: 'Volume',
    unit: 'm³',
    range: [0, 1e9],
    decimals: 1,
    kinds: volumes,
    isCounter: true,
  },
  'heat.power': {
    id: 3,
    zh: '热功率',
    en: 'Heat power',
    unit: 'kW',
    range: [-100_000, 100_000],
    decimals: 1,
    kinds: powered,
  },
  'heat.flow': {
    id: 4,
    zh: '流量',
    en: 'Flow',
    unit: 'm³/h',
    range: [-10_000, 10_000],
    decimals: 3,
    kinds: flows,
  },
  'meter.hours': {
    id: 5,
    zh: '运行小时',
    en: 'Operating hours',
    unit: 'h',
    range: [0, 1e7],
    decimals: 0,
    kinds: meters,
  },
  'temp.supply': {
    id: 10,
    zh: '供水温度',
    en: 'Supply temperature',
    unit: '°C',
    range: [-10, 150],
    decimals: 1,
    kinds: wet,
  },
  'temp.return': {
    id: 11,
    zh: '回水温度',
    en: 'Return temperature',
    unit: '°C',
    range: [-10, 120],
    decimals: 1,
    kinds: wet,
  },
  'temp.room': {
    id: 12,
    zh: '室温',
    en: 'Room temperature',
    unit: '°C',
    range: [-20, 50],
    decimals: 1,
    kinds: rooms,
  },
  'temp.outdoor': {
    id: 13,
    zh: '室外温度',
    en: 'Outdoor temperature',
    unit: '°C',
    range: [-60, 60],
    decimals: 1,
    kinds: outdoors,
  },
  'pressure.supply': {
    id: 20,
    zh: '供水压力',
    en: 'Supply pressure',
    unit: 'kPa',
    range: [-100, 4_000],
    decimals: 0,
    kinds: pressed,
  },
  'pressure.return': {
    id: 21,
    zh: '回水压力',
    en: 'Return pressure',
    unit: 'kPa',
    range: [-100, 4_000],
    decimals: 0,
    kinds: pressed,
  },
  'pressure.diff': {
    id: 22,
    zh: '压差',
    en: 'Pressure difference',
    unit: 'kPa',
    range: [-1_000, 2_000],
    decimals: 1,
    kinds: wet,
  },
  'valve.opening': {
    id: 30,
    zh: '开度',
    en: 'Opening',
    unit: '%',
    range: [0, 100],
    decimals: 0,
    kinds: valves,
  },
  'valve.target': {
    id: 31,
    zh: '目标开度',
    en: 'Target opening',
    unit: '%',
    range: [0, 100],
    decimals: 0,
    kinds: valves,
  },
  /** Opening of the master valve after an irrigation pump, which shuts off all pipes while nothing is watered. */
  'master.opening': {
    id: 32,
    zh: '主阀开度',
    en: 'Master valve opening',
    unit: '%',
    range: [0, 100],
    decimals: 0,
    kinds: stations,
  },
  'pump.speed': {
    id: 40,
    zh: '循环泵转速',
    en: 'Pump speed',
    unit: '%',
    range: [0, 110],
    decimals: 0,
    kinds: stations,
  },
  'pump.power': {
    id: 41,
    zh: '循环泵功率',
    en: 'Pump power',
    unit: 'kW',
    range: [0, 10_000],
    decimals: 1,
    kinds: stations,
  },
  /** Head setpoint of the station's controller; 0 while the pump runs at a fixed speed. */
  'pump.target': {
    id: 42,
    zh: '压差设定',
    en: 'Head setpoint',
    unit: 'kPa',
    range: [0, 1_000],
    decimals: 1,
    kinds: stations,
  },
  /** Offset that the station's controller adds to its heating curve. */
  'supply.offset': {
    id: 43,
    zh: '供水温度偏移',
    en: 'Supply offset',
    unit: 'K',
    range: [-30, 30],
    decimals: 1,
    kinds: stations,
  },
  /** Supply setpoint of the station's controller: its heating curve and the offset. */
  'supply.target': {
    id: 44,
    zh: '供水温度设定',
    en: 'Supply setpoint',
    unit: '°C',
    range: [0, 130],
    decimals: 1,
    kinds: stations,
  },
  'bat.v': { id: 50, zh: '电池电压', en: 'Battery', unit: 'V', range: [0, 60], decimals: 2, kinds: any },
  rssi: { id: 51, zh: '信号强度', en: 'Signal', unit: 'dBm', range: [-150, 0], decimals: 0, kinds: any },
  'rain.total': {
    id: 60,
    zh: '累计降雨量',
    en: 'Rain',
    unit: 'mm',
    range: [0, 1e6],
    decimals: 1,
    kinds: weather,
    isCounter: true,
  },
  /** Water in the ground, as a share of its volume: at an irrigation valve, or at a probe of its own. */
  'soil.moisture': {
    id: 61,
    zh: '土壤含水率',
    en: 'Soil moisture',
    unit: '%',
    range: [0, 100],
    decimals: 1,
    kinds: probes,
  },
  /** Of the air at a weather station. */
  'humidity.outdoor': {
    id: 62,
    zh: '室外相对湿度',
    en: 'Outdoor humidity',
    unit: '%',
    range: [0, 100],
    decimals: 0,
    kinds: weather,
  },
  /** At 2 m above the ground; a sensor at another height is converted by the device (FAO-56, equation 47). */
  'wind.speed': {
    id: 63,
    zh: '风速',
    en: 'Wind speed',
    unit: 'm/s',
    range: [0, 75],
    decimals: 1,
    kinds: weather,
  },
  /** Short-wave radiation of sun and sky on a horizontal surface. A pyranometer shows a little less than 0 at night. */
  'sun.radiation': {
    id: 64,
    zh: '太阳辐射',
    en: 'Solar radiation',
    unit: 'W/m²',
    range: [-20, 2_000],
    decimals: 0,
    kinds: weather,
  },
  /** Health of a gateway (apps/gateway): lines without a connection, and devices that do not answer. */
  'gateway.offline': {
    id: 70,
    zh: '断线线路',
    en: 'Lines offline',
    unit: '',
    range: [0, 1e6],
    decimals: 0,
    kinds: gateways,
  },
  'gateway.silent': {
    id: 71,
    zh: '无应答设备',
    en: 'Devices without answer',
    unit: '',
    range: [0, 1e7],
    decimals: 0,
    kinds: gateways,
  },
  /** Readings that the server has not acknowledged, and readings that were dropped since its store exists. */
  'gateway.queued': {
    id: 72,
    zh: '待确认读数',
    en: 'Readings to acknowledge',
    unit: '',
    range: [0, 1e12],
    decimals: 0,
    kinds: gateways,
  },
  'gateway.dropped': {
    id: 73,
    zh: '丢弃读数',
    en: 'Readings dropped',
    unit: '',
    range: [0, 1e12],
    decimals: 0,
    kinds: gateways,
  },
  /** 1 while its newest configuration cannot be used, and the lines are those of the one before. */
  'gateway.refused': {
    id: 74,
    zh: '配置被拒',
    en: 'Configuration refused',
    unit: '',
    range: [0, 1],
    decimals: 0,
    kinds: gateways,
  },
} as const satisfies Record<string, MetricDefinition>

export type MetricName = keyof typeof metrics

export const metricNames = Object.keys(metrics) as readonly MetricName[]

export const isMetricName = (name: string): name is MetricName => Object.hasOwn(metrics, name)

/** Whether a kind of device reports a metric. */
export function isReportedBy(name: MetricName, kind: DeviceKind): boolean {
  const { kinds }: MetricDefinition = metrics[name]
  return kinds.includes(kind)
}

/** What the controller of a heat station measures, and that of a pump house for irrigation does not. */
const OF_HEAT_STATIONS = ['temp.supply', 'temp.return', 'heat.power'] as const satisfies readonly MetricName[]

/**
 * Whether a station heats, by the newest values of its controller. A company may have pump houses beside its heat
 * stations; a station without any value counts as a heat station.
 */
export const isHeatStation = (values: Readonly<Record<string, number>> | undefined): boolean =>
  values === undefined || OF_HEAT_STATIONS.some((name) => values[name] !== undefined)

/** Whether a metric is a register that only rises. */
export function isCounter(name: MetricName): boolean {
  const definition: MetricDefinition = metrics[name]
  return definition.isCounter === true
}

const namesById = new Map<number, MetricName>(metricNames.map((name) => [metrics[name].id, name]))

/** The metric with an id; undefined if the registry no longer has it. */
export const findMetricById = (id: number): MetricName | undefined => namesById.get(id)

/** Quality bits of a reading (docs/reference/mqtt.md, section 9). 0 is good. */
export const quality = {
  stale: 1,
  sensorFault: 2,
  outOfRange: 4,
  implausible: 8,
  clockCorrected: 16,
  substituted: 32,
  maintenance: 64,
} as const

/** Bits that make a value suspect. A corrected clock or a substituted value alone does not. */
export const DOUBTFUL_QUALITY = quality.sensorFault | quality.outOfRange | quality.implausible
