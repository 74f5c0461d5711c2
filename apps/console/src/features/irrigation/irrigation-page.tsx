import { Segmented } from 'antd'
import { useTranslation } from 'react-i18next'
import { useTreeSelection } from '../../shared/nodes/tree-selection.ts'
import { EmptyState } from '../../shared/ui/states.tsx'
import { WrappingTabs } from '../../shared/ui/wrapping-tabs.tsx'
import { usePageUrl } from '../../shared/url/use-page-url.ts'
import { RunHistory } from './history/run-history.tsx'
import styles from './irrigation.module.css'
import { IrrigationAnswer } from './irrigation-answer.tsx'
import { irrigationAddress, type Tab, tabs } from './irrigation-url.ts'
import { AddSource } from './programs/add-source.tsx'
import { Calendar } from './programs/calendar.tsx'
import { GroupPanel } from './programs/group-panel.tsx'
import { ProgramPanel } from './programs/program-panel.tsx'

/** Programs of irrigation with their calendar, groups, settings of sources, and the history of runs. */
export default function IrrigationPage() {
  const { t } = useTranslation('irrigation')
  const current = useTreeSelection((selection) => selection.current)
  const [url, change] = usePageUrl(irrigationAddress.parse, irrigationAddress.toSearch)
  return (
    <IrrigationAnswer>
      {(sources) => {
        const source = sources.find(({ id }) => id === url.source) ?? sources[0]
        if (!source) return <EmptyState title={t('none')} action={<AddSource node={current} />} />
        const content = {
          programs: <ProgramPanel key={source.id} source={source} />,
          calendar: <Calendar key={source.id} source={source} />,
          groups: <GroupPanel key={source.id} source={source} />,
          history: <RunHistory key={source.id} source={source} />,
        } satisfies Record<Tab, unknown>
        return (
          <>
            <div className={`${styles.line} ${styles.between}`}>
              <Segmented<number>
                value={source.id}
                data-testid="irrigation-source"
                options={sources.map(({ id, name }) => ({ value: id, label: name }))}
                onChange={(id) => change({ source: id })}
              />
              <AddSource node={current} />
            </div>
            <WrappingTabs
              activeKey={url.tab}
              onChange={(key) => change({ tab: tabs.find((tab) => tab === key) ?? 'programs' })}
              items={tabs.map((tab) => ({ key: tab, label: t(`tab.${tab}`), children: content[tab] }))}
              destroyOnHidden
            />
          </>
        )
      }}
    </IrrigationAnswer>
  )
}
