import type { BrokerLogin } from '@isotherm/contract/endpoints/devices/gateway-logins'

/** Files of an external broker by name: who may sign in, and what each may do. */
export type BrokerFiles = Readonly<Record<string, string>>

const lines = (parts: readonly string[]): string => `${parts.join('\n')}\n`

/** Mosquitto: hashed passwords, and rules by user name. */
export const toMosquitto = (gateways: readonly BrokerLogin[], server: BrokerLogin): BrokerFiles => ({
  passwords: lines([server, ...gateways].map(({ username, mosquitto }) => `${username}:${mosquitto}`)),
  acl: lines([
    `user ${server.username}`,
    'topic write hx/v1/+/+/down/#',
    'topic read hx/v1/+/+/up/#',
    'topic readwrite isotherm/v1/replicas/#',
    ...gateways.flatMap(({ username }) => [
      '',
      `user ${username}`,
      `topic write hx/v1/${username}/up/#`,
      `topic read hx/v1/${username}/down/#`,
    ]),
  ]),
})

/** EMQX: users for the built-in database, hashed by SHA-256 with the salt before the password. */
export const toEmqx = (gateways: readonly BrokerLogin[], server: BrokerLogin): BrokerFiles => ({
  'users.csv': lines([
    'user_id,password_hash,salt,is_superuser',
    ...[server, ...gateways].map(
      ({ username, emqxHash, emqxSalt }) => `${username},${emqxHash},${emqxSalt},false`,
    ),
  ]),
})

/** A text as a part of a regular expression. */
const quote = (text: string): string => text.replace(/[.\\+*?[^\]$(){}=!<>|:-]/g, '\\$&')

/** Names that RabbitMQ cannot carry: it writes `/` of topics as `.`, and every `.` back as `/`. */
export const listUnfitForRabbit = (gateways: readonly BrokerLogin[]): readonly string[] =>
  gateways.flatMap(({ username }) => (username.includes('.') ? [username] : []))

/** RabbitMQ: definitions with users, the queues of their sessions, and their topics. */
export function toRabbit(gateways: readonly BrokerLogin[], server: BrokerLogin): BrokerFiles {
  const vhost = '/'
  const toUser = ({ username, rabbitmq }: BrokerLogin) => ({
    name: username,
    password_hash: rabbitmq,
    hashing_algorithm: 'rabbit_password_hashing_sha256',
    tags: [],
  })
  /** `queues`: names of the queues of its sessions, as a regular expression. */
  const toPermission = (user: string, queues: string) => {
    const own = `^(amq\\.topic|${queues})$`
    return { user, vhost, configure: `^${queues}$`, write: own, read: own }
  }
  const toTopics = (user: string, write: string, read: string) => ({
    user,
    vhost,
    exchange: 'amq.topic',
    write: `^${write}$`,
    read: `^${read}$`,
  })
  const all = '(#|\\*|[a-z]+)'
  const definitions = {
    vhosts: [{ name: vhost }],
    users: [server, ...gateways].map(toUser),
    permissions: [
      toPermission(server.username, 'mqtt-subscription-isotherm-[^/]*qos[01]'),
      ...gateways.map(({ username }) =>
        toPermission(username, `mqtt-subscription-${quote(username)}qos[01]`),
      ),
    ],
    topic_permissions: [
      toTopics(
        server.username,
        'hx\\.v1\\.[^.]+\\.[^.]+\\.down\\.[a-z]+',
        'hx\\.v1\\.\\*\\.\\*\\.up\\.[a-z]+',
      ),
      ...gateways.map(({ username }) => {
        const own = `hx\\.v1\\.${quote(username).replace('/', '\\.')}`
        return toTopics(username, `${own}\\.up\\.[a-z]+`, `${own}\\.down\\.${all}`)
      }),
    ],
  }
  return { 'definitions.json': `${JSON.stringify(definitions, null, 2)}\n` }
}
