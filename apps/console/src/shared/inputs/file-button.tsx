import { Button, type ButtonProps } from 'antd'
import { useRef } from 'react'

interface FileButtonProps extends Omit<ButtonProps, 'onClick' | 'title'> {
  readonly label: string
  /** Types of files to choose from, as of an HTML input. */
  readonly accept: string
  /** Takes a photo with the camera behind a phone instead of choosing a file. */
  readonly hasCamera?: boolean
  readonly inputTestId?: string
  readonly onFile: (file: File) => void
}

/** Button that lets the user choose a file. */
export function FileButton({
  label,
  accept,
  hasCamera = false,
  inputTestId,
  onFile,
  ...button
}: FileButtonProps) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={input}
        type="file"
        accept={accept}
        {...(hasCamera && { capture: 'environment' })}
        hidden
        aria-label={label}
        data-testid={inputTestId}
        onChange={({ target }) => {
          const [file] = target.files ?? []
          // The same file may be chosen again.
          target.value = ''
          if (file) onFile(file)
        }}
      />
      <Button {...button} onClick={() => input.current?.click()}>
        {label}
      </Button>
    </>
  )
}
