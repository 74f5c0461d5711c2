import { PlusOutlined } from '@ant-design/icons'
import type { NodeKey } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Answer } from '../../../shared/ui/answer.tsx'
import { EmptyState } from '../../../shared/ui/states.tsx'
import { targetsQuery } from '../calls/rule-queries.ts'
import styles from '../parts/alarms.module.css'
import items from '../parts/items.module.css'
import { ShownPart } from '../parts/shown-part.tsx'
import { type EditedTarget, TargetDrawer } from './target-drawer.tsx'
import { TargetItem } from './target-item.tsx'

/** The receivers with their delivery state. */
export function TargetsSection({ nodes }: { readonly nodes: readonly NodeKey[] }) {
  const { t } = useTranslation('alarms')
  const [edited, setEdited] = useState<EditedTarget>()
  const targets = useQuery(targetsQuery(nodes))
  return (
    <>
      <div className={items.sectionHead}>
        <p className={styles.hint}>{t('targets.hint')}</p>
        <Button
          icon={<PlusOutlined />}
          onClick={() => setEdited({ target: undefined })}
          data-testid="add-target"
        >
          {t('targets.add')}
        </Button>
      </div>
      <Answer query={targets}>
        {({ datalist, total }) =>
          datalist.length === 0 ? (
            <EmptyState title={t('targets.none')} hint={t('targets.noneHint')} />
          ) : (
            <>
              <ShownPart shown={datalist.length} total={total} />
              <ul className={styles.cards}>
                {datalist.map((target) => (
                  <TargetItem key={target.id} target={target} onEdit={() => setEdited({ target })} />
                ))}
              </ul>
            </>
          )
        }
      </Answer>
      <TargetDrawer edited={edited} onClose={() => setEdited(undefined)} />
    </>
  )
}
