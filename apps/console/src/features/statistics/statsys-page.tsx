import { useQuery } from '@tanstack/react-query'
import { Pagination } from 'antd'
import { useTranslation } from 'react-i18next'
import { useFormat } from '../../shared/format/use-format.ts'
import { useSelectedNodes } from '../../shared/nodes/tree-selection.ts'
import { Printed } from '../../shared/print/printed.tsx'
import { usePaused } from '../../shared/screen/use-paused.ts'
import { Answer } from '../../shared/ui/answer.tsx'
import { PageFrame } from '../../shared/ui/page-frame.tsx'
import { SelectionGone } from '../../shared/ui/selection-gone.tsx'
import { usePageUrl } from '../../shared/url/use-page-url.ts'
import { ReportBody } from './report-body.tsx'
import { ReportControls } from './report-controls.tsx'
import { ReportDrawer } from './report-drawer.tsx'
import styles from './statistics.module.css'
import { courseQuery, PAGE_ROWS, reportAddress, reportQuery, toChoice } from './statistics-query.ts'

const nothing: readonly never[] = []

/** Statistics: fixed reports by level of the tree and period, with ranking, distribution and comparison. */
export default function StatsysPage() {
  const { t } = useTranslation('statistics')
  const format = useFormat()
  const nodes = useSelectedNodes()
  const [url, change] = usePageUrl(reportAddress.parse, reportAddress.toSearch)
  const text = usePaused(url.text).trim()
  const choice = toChoice(url)
  const isWanted = nodes !== undefined && choice.isComplete
  const query = useQuery({ ...reportQuery(nodes ?? nothing, text, url), enabled: isWanted })
  const { data } = query
  const course = useQuery({
    ...courseQuery(nodes ?? nothing, url, data?.days ?? 1),
    enabled: isWanted && data !== undefined,
  })
  if (nodes === undefined) return <SelectionGone />
  const points = course.data?.points
  return (
    <PageFrame toolbar={<ReportControls url={url} onUrl={change} nodes={nodes} />}>
      {choice.isComplete && (
        <Answer query={query}>
          {(answer) => (
            <>
              <ReportBody
                choice={choice}
                answer={answer}
                points={points}
                page={url.page}
                onSort={(sort, descending) => change({ sort, descending, page: 1 })}
                onOpen={({ node }) => change({ open: node }, { push: true })}
              />
              {answer.total > PAGE_ROWS && (
                <Pagination
                  className={styles.pager ?? ''}
                  size="small"
                  current={url.page}
                  pageSize={PAGE_ROWS}
                  total={answer.total}
                  showSizeChanger={false}
                  onChange={(page) => change({ page })}
                />
              )}
              <Printed>
                <article className={styles.paper} data-testid="report-paper">
                  <h1>
                    {t('statsys.title')} · {t(`report.${choice.report}`)}
                  </h1>
                  <p>{t('made', { instant: format.instant(Date.now()) })}</p>
                  <ReportBody choice={choice} answer={answer} points={points} page={url.page} />
                </article>
              </Printed>
            </>
          )}
        </Answer>
      )}
      <ReportDrawer
        report={choice.report}
        row={data?.datalist.find(({ node }) => node === url.open)}
        onClose={() => change({ open: undefined })}
      />
    </PageFrame>
  )
}
