import { PhoneOutlined } from '@ant-design/icons'
import { addRoomVisit } from '@isotherm/contract/endpoints/monitoring/rooms'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { Button, Input } from 'antd'
import { useId, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { call } from '../../../shared/api/client.ts'
import { ActionForm } from '../../../shared/form/action-form.tsx'
import { Field } from '../../../shared/form/field.tsx'
import { readServerNow } from '../../../shared/live/server-now.ts'
import { showNotice } from '../../../shared/notices/notices.ts'
import { useIsPermitted } from '../../../shared/session/session-store.ts'

const empty = { resident: '', phone: '', complaint: '' }

/** Records a complaint about a room; from then on the clock of the measuring visit runs. */
export function ComplaintButton({ deviceId }: { readonly deviceId: number }) {
  const { t } = useTranslation('rooms')
  const client = useQueryClient()
  const id = useId()
  const may = useIsPermitted('pr-rtalarm')
  const [isOpen, setOpen] = useState(false)
  const [texts, setTexts] = useState(empty)
  const saving = useMutation({
    mutationFn: () => call(addRoomVisit, { deviceId, requestedAt: readServerNow(), ...texts }),
    onSuccess() {
      void client.invalidateQueries({ queryKey: ['rooms', 'visits'] })
      showNotice('success', t('visit.added'))
      setTexts(empty)
      setOpen(false)
    },
  })
  if (!may) return null
  if (!isOpen)
    return (
      <Button icon={<PhoneOutlined />} data-testid="add-complaint" onClick={() => setOpen(true)}>
        {t('visit.add')}
      </Button>
    )
  const field = (name: keyof typeof empty, maxLength: number) => (
    <Field label={t(`visit.${name}`)} htmlFor={`${id}-${name}`}>
      <Input
        id={`${id}-${name}`}
        maxLength={maxLength}
        value={texts[name]}
        data-testid={`complaint-${name}`}
        onChange={(event) => setTexts({ ...texts, [name]: event.target.value })}
      />
    </Field>
  )
  return (
    <ActionForm
      submit={t('visit.add')}
      isReady={texts.resident.trim() !== '' || texts.phone.trim() !== ''}
      busy={saving.isPending}
      error={saving.error}
      testId="save-complaint"
      onSubmit={() => saving.mutate()}
      onCancel={() => setOpen(false)}
    >
      {field('resident', 60)}
      {field('phone', 30)}
      {field('complaint', 500)}
    </ActionForm>
  )
}
