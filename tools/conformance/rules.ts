import { KEEP_ALIVE_S } from '@isotherm/contract/mqtt'

/** What the conformance command checks, in the words of its report. The sections are those of docs/reference/mqtt.md. */
export const rules = {
  connect: 'The device connects, sends a birth message and readings (section 3)',
  'mqtt-version': 'It speaks MQTT 3.1.1, protocol level 4 (section 1)',
  'user-name': 'Its user name is {tenant}/{gateway} (section 1)',
  'client-id': 'Its client id is its user name (section 1)',
  password: 'It sends the password it was given (section 1)',
  'token-login':
    'Given a one-time token, it connects with the password of down/login, and never with the token again (section 1)',
  'login-ignored': 'It ignores down/login on a connection that it did not make with a token (section 1)',
  'clean-session': 'It asks for a session that is not clean (section 1)',
  'keep-alive': `Its keep-alive is ${KEEP_ALIVE_S.from} to ${KEEP_ALIVE_S.to} s (section 1)`,
  will: 'Its will is an offline birth message on up/birth, QoS 1, retained (section 1)',
  subscription:
    'It subscribes to its own down topics at QoS 1: commands, acknowledgements and time (section 1)',
  'subscribe-first': 'It subscribes before it publishes (section 3)',
  birth: 'The first message of each connection is up/birth with online: true, retained (section 5)',
  'own-topics': 'It publishes on its own up topics only (section 2)',
  qos: 'It publishes at QoS 1 (section 1)',
  retain: 'Only up/birth is retained (section 1)',
  schema: 'Each message has the fields, types and ranges of its schema (section 5)',
  metrics: 'Metric names are known, and values are within their range (section 9)',
  clock: 'Its clock is right within 5 s (section 8)',
  numbering:
    'Readings are numbered from 0 with each start, without gaps, by a counter of their own (section 4)',
  'same-number': 'One number never names two different messages (section 4)',
  'reply-numbering':
    'Replies are numbered from 0 with each start, without gaps, by a counter of their own (section 4)',
  reconnect: 'It connects again after the connection is lost (section 1)',
  'repeat-unacknowledged': 'A message without PUBACK is sent again with its number (section 4)',
  backlog: 'What it measures without a connection is sent later (section 4)',
  'late-readings': 'Late readings go to up/history, each with its own time (section 5)',
  'get-history': 'It sends requested messages on up/history, without a reply (section 4)',
  boot: 'It raises boot with each start (section 4)',
  restart: 'A message without PUBACK survives a restart and has the number of its boot (section 4)',
  acknowledged: 'It does not send again what down/ack covers (section 4)',
  reply: 'It answers each command within the time (section 7.1)',
  done: 'It ends each accepted command with done (section 7.1)',
  confirm: 'A reading after done shows the new position (section 7.2)',
  duplicate: 'A repeated command gets the stored reply (section 7.3)',
  expiry: 'An expired command is refused with 410 (section 7.4)',
  revision: 'A command with a revision that is not higher is refused with 409 (section 7.5)',
  replaced: 'A newer command ends the running one (section 7.5)',
  refused: 'A refused command moves nothing (section 7)',
  'max-sec': 'It closes by itself after maxSec, or refuses the command (section 7.6)',
  'bad-arguments': 'Wrong arguments are refused with 400 (section 7.9)',
  'unknown-device': 'A command to an unknown device is refused with 404 (section 7.9)',
  unsupported: 'An unknown command is refused with 501 or 400 (section 7.9)',
  garbage: 'Messages that it does not understand do it no harm (section 7.9)',
  'reply-repeat': 'A reply without PUBACK is sent again (section 7.1)',
} as const satisfies Readonly<Record<string, string>>

export type Rule = keyof typeof rules
