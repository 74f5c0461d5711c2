import type { BackupRun } from '@isotherm/contract/endpoints/administration/backups'
import { useQuery } from '@tanstack/react-query'
import { Alert } from 'antd'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useNow } from '../../../shared/format/use-now.ts'
import { backupsKey, backupsQuery, loadBackups } from '../../../shared/installation/backups.ts'
import { createListUrl, type ListUrl } from '../../../shared/records/list-url.ts'
import { RecordList } from '../../../shared/records/record-list.tsx'
import { useRecordPage } from '../../../shared/records/use-record-page.ts'
import { FactList } from '../../../shared/ui/fact-list.tsx'
import { SideDrawer } from '../../../shared/ui/side-drawer.tsx'
import { VIEW, ViewSwitch } from '../keys/view-switch.tsx'
import { useBackupColumns } from './backup-columns.tsx'
import styles from './backups.module.css'

const list = createListUrl({
  sorts: ['startedAt', 'state', 'bytes', 'duration', 'checked', 'fault', 'encrypted', 'rows', 'name'],
})

/** The list is one of the views of the interfaces page; the URL names the view. */
const address = {
  parse: list.parse,
  toSearch(url: ListUrl): URLSearchParams {
    const search = list.toSearch(url)
    search.set(VIEW, 'backups')
    return search
  },
}

const DRAWER_PX = 480
const toKey = ({ id }: BackupRun): string => String(id)

/** The backup fault that administrators must act on, if there is one. */
function BackupAlarmLine() {
  const { t } = useTranslation('system')
  const format = useFormat()
  const now = useNow(60)
  const { data } = useQuery(backupsQuery)
  if (!data) return null
  const { alarm, lastWholeAt, isReadable } = data
  if (!isReadable)
    return <Alert className={styles.alarm ?? ''} type="info" showIcon title={t('backups.notReadable')} />
  if (alarm === null) return null
  const age = format.age(lastWholeAt ?? undefined, now)
  return (
    <Alert
      className={styles.alarm ?? ''}
      type="error"
      showIcon
      data-testid="backup-alarm"
      title={t(`backups.alarm.${alarm}`, { age })}
      description={t(`backups.alarmHint.${alarm}`)}
    />
  )
}

/** The versions of the program that ran on the data: they show which version made which backup. */
function VersionLine() {
  const { t } = useTranslation('system')
  const format = useFormat()
  const { data } = useQuery(backupsQuery)
  if (!data || data.versions.length === 0) return null
  const list = data.versions
    .map(({ version, since }) => t('backups.versionSince', { version, at: format.instant(since) }))
    .join(' · ')
  return (
    <p className={styles.versions} data-testid="program-versions">
      {t('backups.versions', { list })}
    </p>
  )
}

/** The last backups: when, how large, how long, whether they were checked, and what failed. */
export function BackupList() {
  const { t } = useTranslation('system')
  const format = useFormat()
  const page = useRecordPage({ address, queryKey: backupsKey, load: loadBackups, toKey })
  const columns = useBackupColumns()
  const toName = ({ startedAt }: BackupRun) => format.instant(startedAt)
  const { record, close } = page
  return (
    <>
      <RecordList<BackupRun>
        name="backups"
        query={page.query}
        toKey={toKey}
        toName={toName}
        columns={columns}
        searchLabel={t('backups.search')}
        toSearched={({ name, fault }) => [name ?? '', fault ?? '']}
        emptyHint={t('backups.empty')}
        controls={
          <>
            <ViewSwitch view="backups" />
            <BackupAlarmLine />
            <VersionLine />
          </>
        }
        url={page.url}
        onUrl={page.change}
      />
      <SideDrawer
        isWanted={record !== undefined}
        title={record && t('backups.title', { at: toName(record) })}
        widthPx={DRAWER_PX}
        onClose={close}
      >
        {record && (
          <FactList
            className={styles.facts}
            facts={columns
              .map(({ title, render }) => [title, render(record)] as const)
              .filter(([, value]) => value !== '')}
          />
        )}
      </SideDrawer>
    </>
  )
}
