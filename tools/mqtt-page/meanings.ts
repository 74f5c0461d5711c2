import type { RefusalReason } from '@isotherm/contract/endpoints/devices/gateway-logins'
import type { quality } from '@isotherm/contract/metrics'
import type { replyCodes } from '@isotherm/contract/mqtt'

/** What the reference page says about each result code of a reply. */
export const codeMeanings: Readonly<Record<keyof typeof replyCodes, string>> = {
  ok: 'taken over, running or done, by the stage',
  badArguments: 'arguments are missing, of the wrong type or outside their range',
  denied: 'the device does not accept commands from the server now',
  noSuchChild: 'there is no such device behind the gateway',
  busTimeout: 'the device does not answer on its bus',
  superseded:
    'a newer command to the device is known: the revision is not higher, or a newer one replaced it',
  expired: 'it arrived at or after `exp`',
  locked: 'the device is operated by hand or locked on site',
  busy: 'the gateway cannot take over more commands now',
  deviceFailure: 'the device failed, for example its motor is blocked; `msg` says how',
  unsupported: 'the device does not know this command, or cannot do what it requires',
  lowBattery: 'the battery is too low to move safely',
}

/** What it says about each reason of a refused sign-in. */
export const refusalMeanings: Readonly<Record<RefusalReason, string>> = {
  'bad-name': 'the user name is not `{tenant}/{gateway}`',
  'wrong-client-id': 'the client id is neither the user name nor the serial',
  'unknown-serial': 'the serial is not registered, and the password is wrong',
  'wrong-password': 'the password is wrong, or an old one after a rotation',
  revoked: 'the password was revoked; a new one is needed',
  retired: 'the device is retired in the registry',
  elsewhere: 'another server serves its company; the address of the broker is the wrong one',
  'wrong-topic': 'it published or subscribed to a topic that is not its own, or published at QoS 2',
  'wrong-token': 'the one-time token is not the newest one of this gateway, or was withdrawn',
  'expired-token': 'the time of the one-time token is over',
  'spent-token': 'the gateway has signed in with its own password since: the one-time token is void',
  'no-certificate': 'the port with TLS requires a certificate, and the device presented none',
  'untrusted-certificate':
    'no authority that the broker knows signed its certificate, or it holds from a later time only, or is not for clients',
  'expired-certificate': 'its certificate has expired; check the clock of the server too',
  'revoked-certificate':
    'its certificate is in the revocation list, or began before the password of the device was last revoked in the console',
  'unchecked-certificate':
    'the revocation list of the broker is outdated, or has no part for the authority: a fault of the server',
  'wrong-certificate': 'the common name of its certificate is not its user name',
}

/** What it says about each quality bit, and who sets it. */
export const qualityMeanings: Readonly<Record<keyof typeof quality, string>> = {
  stale: 'device: the value is old, for example the last one of a device that does not answer',
  sensorFault: 'device: the sensor is broken',
  outOfRange: 'server: outside the range of the metric. A device may set it as well',
  implausible: 'server: contradicts physics or earlier readings. A device may set it as well',
  clockCorrected: 'server: the time was corrected',
  substituted: 'device: estimated or a replacement value',
  maintenance: 'device: measured during maintenance',
}
