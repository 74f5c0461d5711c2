import type { BrokerLogin } from '@isotherm/contract/endpoints/devices/gateway-logins'
import type { RecordColumn } from '../../../shared/records/record-column.ts'

/** A column of a file; nothing shows it. */
export const toColumn = <Row>(key: string, title: string, text: (row: Row) => string): RecordColumn<Row> => ({
  key,
  title,
  widthPx: 0,
  render: text,
  text,
})

/** Columns of the file of hashes, in the order in which `isotherm broker-logins` reads them. */
export const toHashColumns = (username: string): readonly RecordColumn<BrokerLogin>[] => [
  toColumn('username', username, (login) => login.username),
  toColumn('mosquitto', 'Mosquitto', ({ mosquitto }) => mosquitto),
  toColumn('emqxHash', 'EMQX', ({ emqxHash }) => emqxHash),
  toColumn('emqxSalt', 'EMQX salt', ({ emqxSalt }) => emqxSalt),
  toColumn('rabbitmq', 'RabbitMQ', ({ rabbitmq }) => rabbitmq),
]
