import { DownloadOutlined } from '@ant-design/icons'
import type { IrrigationRun, IrrigationSource } from '@isotherm/contract/irrigation'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../../shared/format/use-format.ts'
import { toCsv } from '../../../shared/records/to-csv.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { saveFile } from '../../../shared/ui/save-file.ts'
import { EmptyState } from '../../../shared/ui/states.tsx'
import styles from '../irrigation.module.css'
import { useIrrigationText } from '../irrigation-text.ts'
import { runsQuery } from '../queries.ts'

interface Column {
  readonly key: string
  readonly title: string
  readonly text: (run: IrrigationRun) => string
  readonly isNumber?: true
}

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
  return [
    { key: 'began', title: t('column.began'), text: ({ beganMs }) => format.instant(beganMs) },
    {
      key: 'name',
      title: t('column.name'),
      text: ({ name, programId }) => (programId === undefined ? `${t('single')} · ${name}` : name),
    },
    { key: 'state', title: t('column.state'), text: ({ state }) => t(`state.${state}`) },
    {
      key: 'planned',
      title: t('column.planned'),
      text: ({ plannedM3 }) => format.number(plannedM3, 2),
      isNumber: true,
    },
    {
      key: 'used',
      title: t('column.used'),
      text: ({ volumeM3 }) => format.number(volumeM3, 2),
      isNumber: true,
    },
    {
      key: 'adjust',
      title: t('column.adjust'),
      text: ({ adjustPct }) => format.number(adjustPct, 0),
      isNumber: true,
    },
    { key: 'remarks', title: t('column.remarks'), text: remarks },
    { key: 'actor', title: t('column.actor'), text: ({ actor }) => actor },
  ]
}

/** The newest runs of a source with the water used and what was noticed. */
export function RunHistory({ source }: { readonly source: IrrigationSource }) {
  const { t } = useTranslation('irrigation')
  const format = useFormat()
  const columns = useColumns(source)
  return (
    <Answer query={useQuery(runsQuery(source.id))}>
      {({ datalist, total, volumeM3 }) =>
        datalist.length === 0 ? (
          <EmptyState title={t('historyNone')} />
        ) : (
          <div className={styles.stack}>
            <div className={`${styles.line} ${styles.between}`}>
              <span data-testid="irrigation-total">
                {t('historyTotal', { total, value: format.number(volumeM3, 2) })}
              </span>
              <Button
                size="small"
                icon={<DownloadOutlined />}
                onClick={() =>
                  saveFile({
                    name: `${source.name}-${t('history')}.csv`,
                    content: new Blob(
                      [
                        toCsv(
                          columns.map((column) => ({ ...column, widthPx: 0, render: column.text })),
                          datalist,
                        ),
                      ],
                      { type: 'text/csv' },
                    ),
                  })
                }
              >
                {t('exportCsv')}
              </Button>
            </div>
            {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a wide table is scrolled by keyboard */}
            <section className={styles.scroll} tabIndex={0} aria-label={t('history')}>
              <table className={styles.table}>
                <thead>
                  <tr>
                    {columns.map(({ key, title }) => (
                      <th key={key}>{title}</th>
                    ))}
                  </tr>
                </thead>
                <tbody>
                  {datalist.map((run) => (
                    <tr key={run.id} data-testid="irrigation-past-run" data-state={run.state}>
                      {columns.map(({ key, text, isNumber }) => (
                        <td key={key} data-number={isNumber}>
                          {text(run)}
                        </td>
                      ))}
                    </tr>
                  ))}
                </tbody>
              </table>
            </section>
          </div>
        )
      }
    </Answer>
  )
}
