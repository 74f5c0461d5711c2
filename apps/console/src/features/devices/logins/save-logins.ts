import type { BrokerLogin, ExportedLogin } from '@isotherm/contract/endpoints/devices/gateway-logins'
import { useTranslation } from 'react-i18next'
import { showNotice } from '../../../shared/notices/notices.ts'
import type { RecordColumn } from '../../../shared/records/record-column.ts'
import { toCsv } from '../../../shared/records/to-csv.ts'
import { saveFile } from '../../../shared/ui/save-file.ts'
import { toColumn, toHashColumns } from './hash-columns.ts'
import { useShownText } from './use-shown-text.ts'

function save<Row>(name: string, columns: readonly RecordColumn<Row>[], rows: readonly Row[]): void {
  const content = new Blob([toCsv(columns, rows)], { type: 'text/csv;charset=utf-8' })
  saveFile({ name: `${name}.csv`, content })
}

/** Saves exported passwords, or their hashes, as a csv file. The tools read the columns by their places. */
export function useSaveLogins() {
  const { t } = useTranslation('devices')
  const toShownText = useShownText()
  return {
    savePasswords(logins: readonly ExportedLogin[]): void {
      const columns = [
        toColumn<ExportedLogin>('name', t('column.name'), ({ name }) => name),
        toColumn<ExportedLogin>('serial', t('column.serial'), ({ serial }) => serial),
        toColumn<ExportedLogin>('username', t('login.username'), ({ username }) => username),
        toColumn<ExportedLogin>('clientId', t('login.clientId'), ({ clientId }) => clientId),
        toColumn<ExportedLogin>('password', t('login.password'), ({ password }) => password ?? ''),
        toColumn<ExportedLogin>('up', t('login.up'), ({ upTopic }) => upTopic),
        toColumn<ExportedLogin>('down', t('login.down'), ({ downTopic }) => downTopic),
        toColumn<ExportedLogin>('seen', t('login.seen'), ({ shown }) => (shown ? toShownText(shown) : '')),
      ]
      save(t('login.fileName'), columns, logins)
      const fresh = logins.filter(({ password }) => password !== undefined).length
      showNotice('success', t('login.exported', { fresh, seen: logins.length - fresh }))
    },
    saveHashes(logins: readonly BrokerLogin[]): void {
      save(t('login.hashesFileName'), toHashColumns(t('login.username')), logins)
    },
  }
}
