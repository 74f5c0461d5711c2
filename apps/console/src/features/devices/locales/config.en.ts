import { configFieldsEn } from '@isotherm/contract/locales/config-fields.en'
import { match } from '../../../shared/i18n/match.ts'
import type { configZh } from './config.zh.ts'

/** Texts of the editor of a gateway's configuration. */
export const configEn = match<typeof configZh>()({
  title: 'Lines of {{name}}',
  edit: 'Edit lines',
  add: 'Configure lines',
  lines: 'Lines',
  linesOf: 'Lines: {{count}}',
  unnamed: '(no name)',
  search: 'Line, registration, serial',
  addLine: 'Add line',
  addUnitLine: 'Add a line for it',
  removeLine: 'Remove line {{line}}',
  none: 'No lines yet',
  noneHint:
    'A gateway reads its devices on lines: a transparent unit, a controller, or an application of LoRaWAN or of an NB-IoT platform.',
  allLines: 'All lines',
  devices: 'Devices on the line',
  devicesOf: 'Devices: {{count}}',
  addDevice: 'Add device',
  removeDevice: 'Remove from the line',
  free: 'Devices of the gateway that are on no line: {{count}}',
  settings: 'Settings of the gateway',
  removeListener: 'Stop listening',
  ownProfiles: 'Device profiles that only this gateway has: {{count}}',
  secretStored: 'Stored; leave empty to retain it',
  secretRemoved: 'Removed when you save',
  removeSecret: 'Remove the stored one',
  retainSecret: 'Do not remove it',
  faults: 'To correct: {{count}}',
  someFaults: 'To correct: {{count}}. See the marked lines and fields',
  saved: 'Lines of {{name}} saved; the gateway uses them within a minute',
  driver: {
    'dtu-tcp': 'Transparent unit, TCP',
    'dtu-mqtt': 'Transparent unit, MQTT',
    'modbus-tcp': 'Modbus TCP',
    'chirpstack-mqtt': 'LoRaWAN, ChirpStack 4',
    'northbound-http': 'NB-IoT platform',
  },
  driverHint: {
    'dtu-tcp':
      'The unit connects to the port of the gateway, names itself by its registration packet, and passes bytes between TCP and its serial bus.',
    'dtu-mqtt':
      'The unit passes the bytes of its bus through an MQTT broker, to which the gateway connects as well.',
    'modbus-tcp': 'The gateway connects to a controller or converter, whose units are the devices.',
    'chirpstack-mqtt':
      'An application of ChirpStack 4. Its devices report automatically; the gateway connects to its MQTT broker.',
    'northbound-http':
      'The platform of the operator pushes reports of its devices to the gateway and takes commands by its API.',
  },
  platform: {
    ctwing: 'China Telecom CTWing',
    onenet: 'China Mobile OneNET',
    iotda: 'Huawei Cloud IoTDA',
  },
  listens: { 'after-report': 'After its own report (class A)', always: 'Always (class C)' },
  field: configFieldsEn,
  hint: {
    registration: 'Text that the unit sends first after it connects, for example its IMEI',
    pushToken:
      '16 to 32 random letters and digits; the same token belongs into the push settings of the platform',
    heartbeatHex: 'Bytes that the unit repeats while its bus is silent',
    url: 'Of the platform or MQTT broker',
  },
  fault: {
    'same-id': 'Another line has this name',
    'same-registration': 'Another line has this registration packet',
    'same-topic': 'Another line has this server and topic',
    'same-serial': 'This device is on a line already',
    needed: 'A line needs this port',
    'unknown-profile': 'Unknown profile',
    'wrong-driver': 'This profile does not fit this kind of line',
    'bad-address': 'The address does not fit the protocol of the profile',
    'same-address': 'Another device of the line has this address',
    'no-secret': 'Enter it again: it is not stored for this address',
  },
})
