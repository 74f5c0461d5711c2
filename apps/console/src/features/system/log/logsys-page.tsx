import { getOperations, type OperationEntry } from '@isotherm/contract/endpoints/administration/operations'
import { listLoggedOperations, toOperationText } from '@isotherm/contract/locales/operation-text'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import type { TFunction } from 'i18next'
import { useMemo } from 'react'
import { useTranslation } from 'react-i18next'
import { DutiesButton } from '../../../shared/access/duties-button.tsx'
import { call } from '../../../shared/api/client.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { useNow } from '../../../shared/format/use-now.ts'
import { useLanguage } from '../../../shared/i18n/i18n.ts'
import { RecordList } from '../../../shared/records/record-list.tsx'
import { SideDrawer } from '../../../shared/ui/side-drawer.tsx'
import { usePageUrl } from '../../../shared/url/use-page-url.ts'
import { toNameText } from './entry-text.ts'
import { LogSearchStuck, loadWholeLog } from './load-log.ts'
import styles from './log.module.css'
import { useLogColumns } from './log-columns.tsx'
import { LogControls } from './log-controls.tsx'
import { LogEntry } from './log-entry.tsx'
import { logAddress, toLogInput, VISIT } from './log-query.ts'

const PAGE_SIZE = 50
const DRAWER_PX = 560
const MINUTE_MS = 60_000

const toKey = ({ id }: OperationEntry): string => String(id)

const toRetentionText = (days: number, t: TFunction<'system'>): string =>
  days === 0 ? t('log.retention') : t('log.retentionDays', { count: days })

/** The operations that can be searched for, by name. */
function useOperationOptions() {
  const language = useLanguage()
  return useMemo(
    () =>
      listLoggedOperations()
        .filter((name) => name !== VISIT)
        .map((value) => ({ value, label: toOperationText(language, value) }))
        .sort((left, right) => left.label.localeCompare(right.label, language)),
    [language],
  )
}

/** The operation log: who changed what, where, when, from where and with which result. */
export default function LogsysPage() {
  const { t } = useTranslation('system')
  const language = useLanguage()
  const format = useFormat()
  const now = useNow(60)
  const [url, change] = usePageUrl(logAddress.parse, logAddress.toSearch)
  const input = useMemo(() => toLogInput(url, now), [url, now])
  const query = useQuery({
    queryKey: ['operations', input, url.page],
    queryFn: ({ signal }) =>
      call(getOperations, { ...input, limiter: { page: url.page, size: PAGE_SIZE } }, { signal }),
    placeholderData: keepPreviousData,
  })
  const columns = useLogColumns()
  const operations = useOperationOptions()
  const { data } = query
  const open = data?.datalist.find((entry) => toKey(entry) === url.open)
  const loadAll = () =>
    loadWholeLog((each) => call(getOperations, each), input, now + MINUTE_MS).catch((error: unknown) => {
      throw error instanceof LogSearchStuck ? new Error(t('log.stuck')) : error
    })
  return (
    <>
      <RecordList<OperationEntry>
        name="operations"
        query={query}
        pageSize={PAGE_SIZE}
        toKey={toKey}
        toName={toKey}
        columns={columns}
        filters={[
          { name: 'endpoint', label: t('log.operation'), options: operations },
          {
            name: 'result',
            label: t('log.result'),
            options: [
              { value: 'ok', label: t('log.ok') },
              { value: 'failed', label: t('log.failed') },
            ],
          },
        ]}
        controls={<LogControls url={url} onUrl={change} />}
        searchLabel={t('log.search')}
        loadAll={loadAll}
        url={url}
        onUrl={change}
        actions={
          <>
            <small className={styles.note} role="note">
              {data?.hasMore
                ? t('log.incomplete', { time: format.instant(data.searchedFrom) })
                : data && toRetentionText(data.retentionDays, t)}
            </small>
            <DutiesButton />
          </>
        }
      />
      <SideDrawer
        isWanted={open !== undefined}
        title={open && t('log.entry', { name: toNameText(open, language, t), time: format.instant(open.at) })}
        widthPx={DRAWER_PX}
        onClose={() => change({ open: undefined })}
      >
        {open && <LogEntry entry={open} />}
      </SideDrawer>
    </>
  )
}
