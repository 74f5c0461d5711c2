import { DownloadOutlined } from '@ant-design/icons'
import type { IrrigationRun, IrrigationSource } from '@isotherm/contract/irrigation'
import { useMutation, useQuery } from '@tanstack/react-query'
import { Button, Pagination, Segmented } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { toFailureText } from '../../../shared/api/api-error.ts'
import { useFormat } from '../../../shared/format/use-format.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { EmptyState } from '../../../shared/ui/states.tsx'
import styles from '../irrigation.module.css'
import { useIrrigationText } from '../irrigation-text.ts'
import { HISTORY_ROWS, listAllRuns, runsQuery, spans } from '../queries.ts'
import { FieldWater } from './field-water.tsx'
import { saveCsv, toPlain } from './save-csv.ts'

interface Column {
  readonly key: string
  readonly title: string
  readonly text: (run: IrrigationRun) => string
  readonly isNumber?: true
  /** Text in the file, if it is another one. */
  readonly plain?: (run: IrrigationRun) => string
  readonly isOnlyInFile?: true
}

/** Share of a volume that meters counted, %; undefined if there was no water. */
const toMeasuredPct = ({ volumeM3, measuredM3 }: Pick<IrrigationRun, 'volumeM3' | 'measuredM3'>) =>
  volumeM3 > 0 ? (100 * measuredM3) / volumeM3 : undefined

function useColumns(source: IrrigationSource): readonly Column[] {
  const { t } = useTranslation('irrigation')
  const format = useFormat()
  const text = useIrrigationText()
  const remarks = ({ conflicts, steps }: IrrigationRun): string =>
    [
      ...conflicts.map((conflict) => text.conflict(source, conflict)),
      ...steps.flatMap(({ groupId, finding }) =>
        finding ? [`${text.groupName(source, groupId)}: ${t(`finding.${finding}`)}`] : [],
      ),
    ].join('; ')
  /** Each opening of a valve is a row, so its name says more than that of its group; a valve that left has only the group's. */
  const valves = ({ groupId, valveIds }: IrrigationRun['steps'][number]): string => {
    const known = source.groups.flatMap((group) => group.valves)
    const named = known.filter(({ deviceId }) => valveIds.includes(deviceId))
    return named.map(({ deviceName }) => deviceName).join(', ') || text.groupName(source, groupId)
  }
  const groups = ({ steps, isObserved }: IrrigationRun): string =>
    [
      ...new Set(steps.map((step) => (isObserved ? valves(step) : text.groupName(source, step.groupId)))),
    ].join(' → ')
  const percent = (value: number | undefined): string => (value === undefined ? '' : format.number(value, 0))
  return [
    { key: 'began', title: t('column.began'), text: ({ beganMs }) => format.instant(beganMs) },
    {
      key: 'name',
      title: t('column.name'),
      text: ({ name, programId, isObserved }) =>
        isObserved ? t('onSite') : programId === undefined ? `${t('single')} · ${name}` : name,
    },
    { key: 'groups', title: t('column.groups'), text: groups },
    {
      key: 'state',
      title: t('column.state'),
      text: ({ state, isObserved }) => t(isObserved ? 'state.observed' : `state.${state}`),
    },
    {
      key: 'planned',
      title: t('column.planned'),
      text: ({ plannedM3, isObserved }) => (isObserved ? '' : format.number(plannedM3, 2)),
      plain: ({ plannedM3, isObserved }) => (isObserved ? '' : toPlain(plannedM3, 2)),
      isNumber: true,
    },
    {
      key: 'used',
      title: t('column.used'),
      text: ({ volumeM3 }) => format.number(volumeM3, 2),
      plain: ({ volumeM3 }) => toPlain(volumeM3, 2),
      isNumber: true,
    },
    {
      key: 'measuredM3',
      title: t('column.measuredM3'),
      text: ({ measuredM3 }) => toPlain(measuredM3, 2),
      isOnlyInFile: true,
    },
    {
      key: 'measured',
      title: t('column.measured'),
      text: (run) => percent(toMeasuredPct(run)),
      isNumber: true,
    },
    {
      key: 'adjust',
      title: t('column.adjust'),
      text: ({ adjustPct, isObserved }) => (isObserved ? '' : format.number(adjustPct, 0)),
      isNumber: true,
    },
    { key: 'remarks', title: t('column.remarks'), text: remarks },
    { key: 'actor', title: t('column.actor'), text: ({ actor }) => actor },
  ]
}

/** Exports all runs of a span, not only those of the page that is shown. */
function ExportRuns({ source, days }: { readonly source: IrrigationSource; readonly days: number }) {
  const { t } = useTranslation('irrigation')
  const columns = useColumns(source).map((column) => ({ ...column, text: column.plain ?? column.text }))
  const save = useMutation({
    mutationFn: () => listAllRuns(source, days),
    onSuccess: (runs) =>
      saveCsv(`${source.name}-${t('history')}`, { days, timeZone: source.timeZone }, columns, runs),
    onError: (error) => showNotice('error', toFailureText(error)),
  })
  return (
    <Button
      size="small"
      icon={<DownloadOutlined />}
      loading={save.isPending}
      data-testid="irrigation-export"
      onClick={() => save.mutate()}
    >
      {t('exportCsv')}
    </Button>
  )
}

interface WaterProps {
  readonly source: IrrigationSource
  readonly groups: readonly {
    readonly groupId: number
    readonly volumeM3: number
    readonly measuredM3: number
  }[]
}

/** Water of each group in a span. */
function WaterByGroup({ source, groups }: WaterProps) {
  const { t } = useTranslation('irrigation')
  const format = useFormat()
  const text = useIrrigationText()
  const most = Math.max(...groups.map(({ volumeM3 }) => volumeM3)) || 1
  if (groups.length === 0) return null
  return (
    <section>
      <h3>{t('waterByGroup')}</h3>
      <ul className={styles.water} data-testid="irrigation-water">
        {groups.map(({ groupId, volumeM3, measuredM3 }) => (
          <li key={groupId}>
            <span>{text.groupName(source, groupId)}</span>
            <span className={styles.bar} aria-hidden>
              <span style={{ width: `${(100 * volumeM3) / most}%` }} />
            </span>
            <span>{text.volume(volumeM3)}</span>
            <small className={styles.hint}>
              {t('meteredPct', { value: format.number(toMeasuredPct({ volumeM3, measuredM3 }) ?? 0, 0) })}
            </small>
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Runs of a source with the water used and what was noticed, and the water of each group. */
export function RunHistory({ source }: { readonly source: IrrigationSource }) {
  const { t } = useTranslation('irrigation')
  const format = useFormat()
  const columns = useColumns(source).filter(({ isOnlyInFile }) => !isOnlyInFile)
  const [days, setDays] = useState<(typeof spans)[number]>(30)
  const [page, setPage] = useState(1)
  const query = useQuery(runsQuery(source, days, page))
  return (
    <div className={styles.stack}>
      <div className={`${styles.line} ${styles.between}`}>
        <Segmented
          value={days}
          data-testid="irrigation-span"
          options={spans.map((value) => ({ value, label: t('spanDays', { value }) }))}
          onChange={(value) => {
            setDays(value)
            setPage(1)
          }}
        />
        <ExportRuns source={source} days={days} />
      </div>
      <FieldWater days={days} timeZone={source.timeZone} />
      <Answer query={query}>
        {({ datalist, total, volumeM3, groups }) =>
          datalist.length === 0 ? (
            <EmptyState title={t('historyNone')} />
          ) : (
            <div className={styles.stack}>
              <span data-testid="irrigation-total">
                {t('historyTotal', { total, value: format.number(volumeM3, 2) })}
              </span>
              <WaterByGroup source={source} groups={groups} />
              {datalist.some(({ isObserved }) => isObserved) && (
                <p className={styles.hint}>{t('onSiteMeans')}</p>
              )}
              {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard */}
              <section className={styles.scroll} tabIndex={0} aria-label={t('history')}>
                <table className={`${styles.table} ${styles.runs}`}>
                  <thead>
                    <tr>
                      {columns.map(({ key, title }) => (
                        <th key={key}>{title}</th>
                      ))}
                    </tr>
                  </thead>
                  <tbody>
                    {datalist.map((run) => (
                      <tr
                        key={run.id}
                        data-testid="irrigation-past-run"
                        data-state={run.state}
                        data-observed={run.isObserved}
                      >
                        {columns.map(({ key, title, text, isNumber }) => {
                          const value = text(run)
                          return (
                            <td key={key} data-key={key} data-title={title} data-number={isNumber}>
                              {value}
                            </td>
                          )
                        })}
                      </tr>
                    ))}
                  </tbody>
                </table>
              </section>
              {total > HISTORY_ROWS && (
                <Pagination
                  size="small"
                  simple
                  current={page}
                  pageSize={HISTORY_ROWS}
                  total={total}
                  showSizeChanger={false}
                  onChange={setPage}
                />
              )}
            </div>
          )
        }
      </Answer>
    </div>
  )
}
