import { SettingOutlined } from '@ant-design/icons'
import { getRoomRules, setRoomRules } from '@isotherm/contract/endpoints/monitoring/rooms'
import { ROOT_KEY } from '@isotherm/contract/tree'
import { useQuery } from '@tanstack/react-query'
import { Button } from 'antd'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { FormDrawer } from '../../../shared/form/form-drawer.tsx'
import { useTreeSelection } from '../../../shared/nodes/tree-selection.ts'
import { useMayCall } from '../../../shared/session/may-call.ts'
import { Answer } from '../../../shared/ui/answer.tsx'
import { RulesForm } from './rules-form.tsx'

/** Opens the rules of the current node for those who may state them. */
export function RulesButton() {
  const { t } = useTranslation('rooms')
  const [isOpen, setOpen] = useState(false)
  const node = useTreeSelection(({ current }) => current)
  const maySet = useMayCall(setRoomRules)
  const isPlace = node !== undefined && node.key !== ROOT_KEY
  const query = useQuery({
    queryKey: ['rooms', 'rules', node?.key],
    queryFn: ({ signal }) => call(getRoomRules, { node: node?.key ?? ROOT_KEY }, { signal }),
    enabled: isOpen && isPlace,
  })
  if (!maySet) return null
  return (
    <>
      <Button
        icon={<SettingOutlined />}
        disabled={!isPlace}
        title={isPlace ? undefined : t('rules.choose')}
        data-testid="room-rules"
        onClick={() => setOpen(true)}
      >
        {t('rules.button')}
      </Button>
      <FormDrawer
        isOpen={isOpen}
        title={t('rules.title', { name: node?.label ?? '' })}
        onClose={() => setOpen(false)}
      >
        {(guard) =>
          node && (
            <Answer query={query}>
              {(placed) => (
                <RulesForm
                  key={`${node.key} ${placed.version}`}
                  node={node.key}
                  placed={placed}
                  onDone={() => setOpen(false)}
                  {...guard}
                />
              )}
            </Answer>
          )
        }
      </FormDrawer>
    </>
  )
}
