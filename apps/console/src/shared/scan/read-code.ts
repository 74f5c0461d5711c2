import { type NodeKey, parseNodeKey } from '@isotherm/contract/tree'
import { isImei } from '@isotherm/kernel/imei'

/** Numbers of a device as its maker prints them. */
export interface DeviceNumbers {
  readonly serial?: string
  readonly imei?: string
  readonly meterNo?: string
}

/**
 * What a scanned text names. `device`: the label of a registered device, by its number. `place`: the label of a node. `numbers`: a code of
 * a maker. `unknown`: none of these.
 */
export type ScannedCode =
  | { readonly kind: 'device'; readonly id: number }
  | { readonly kind: 'place'; readonly node: NodeKey }
  | { readonly kind: 'numbers'; readonly numbers: DeviceNumbers }
  | { readonly kind: 'unknown' }

/** Path of the page that a label opens. */
export const DEVICE_PATH = '/dev/devdebug'

/** Longer texts are no labels of devices, characters. */
const LONGEST = 2_000

/** A serial as devices send it in MQTT messages (contract, `topicPart`). */
const SERIAL = /^[A-Za-z0-9_.-]{1,64}$/

/**
 * A named number in a text, in JSON or in the query of an address: `SN:123`, `"imei":"123"`, `&sn=123`, `IMEI 123`. The number ends where a
 * separator follows.
 */
const FIELD = new RegExp(
  [
    String.raw`(?<![\p{L}\p{N}])`,
    String.raw`(?:(?<devEui>dev[\s_]?eui)`,
    String.raw`|(?<serial>s/?n|serial(?:[\s_]*(?:no\.?|number))?|序列号|(?:设备|出厂)?编号)`,
    String.raw`|(?<imei>imei(?:[\s_]*no\.?)?)`,
    String.raw`|(?<meterNo>表号|meter[\s_]*(?:no\.?|number)))`,
    String.raw`(?:["']?\s*[:：=]\s*["']?|\s+)`,
    String.raw`(?<value>[A-Za-z0-9_.-]{1,64})(?=$|[\s;,|&"'}；，])`,
  ].join(''),
  'giu',
)

const SEPARATORS = /[\s;,|；，]+/

/** Network servers report a DevEUI in lower case; labels have capitals. */
const toDevEui = (text: string): string => text.toLowerCase()

/** The first value of each named number, and an IMEI without a name, known by its check digit. */
function readFields(text: string): DeviceNumbers {
  const found: { -readonly [Name in keyof DeviceNumbers]: DeviceNumbers[Name] } = {}
  for (const { groups: { devEui, serial, imei, value = '' } = {} } of text.matchAll(FIELD)) {
    if (devEui !== undefined) found.serial ??= toDevEui(value)
    else if (serial !== undefined) found.serial ??= value
    else if (imei !== undefined) found.imei ??= value
    else found.meterNo ??= value
  }
  const unnamed = text.split(SEPARATORS).find(isImei)
  return unnamed === undefined ? found : { imei: unnamed, ...found }
}

/** A code of LoRa Alliance TR005: `LW:D0:<JoinEUI>:<DevEUI>:<ProfileID>…`. A device of a radio network has its DevEUI as serial. */
const LORAWAN = /^LW:D0:[0-9A-F]{16}:(?<devEui>[0-9A-F]{16}):/i

/** Whether the key can be that of a node with a label. */
const isNode = (key: string): boolean => !['root', 'invalid'].includes(parseNodeKey(key).kind)

/** What the label with this address names. */
function findLabelled(text: string): Extract<ScannedCode, { kind: 'device' | 'place' }> | undefined {
  if (!/^https?:\/\//i.test(text) || !URL.canParse(text)) return undefined
  const { pathname, searchParams } = new URL(text)
  if (!pathname.endsWith(DEVICE_PATH)) return undefined
  const id = Number(searchParams.get('id'))
  if (Number.isSafeInteger(id) && id > 0) return { kind: 'device', id }
  const node = searchParams.get('node') ?? ''
  return isNode(node) ? { kind: 'place', node } : undefined
}

function readNumbers(text: string): DeviceNumbers {
  const devEui = LORAWAN.exec(text)?.groups?.devEui
  if (devEui !== undefined) return { serial: toDevEui(devEui) }
  if (isImei(text)) return { imei: text }
  return SERIAL.test(text) ? { serial: text } : readFields(text)
}

/**
 * Reads the text of a scanned code: the address of a label of this product, whatever the name of the server in it; a serial or an IMEI
 * alone; or the fields of a maker, as text, JSON or query of an address.
 */
export function readCode(scanned: string): ScannedCode {
  const text = scanned.trim()
  if (text.length > LONGEST) return { kind: 'unknown' }
  const labelled = findLabelled(text)
  if (labelled) return labelled
  const numbers = readNumbers(text)
  return Object.keys(numbers).length > 0 ? { kind: 'numbers', numbers } : { kind: 'unknown' }
}
