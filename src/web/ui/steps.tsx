/** The steps of a wizard, with the present one. */
export function Steps(props: { readonly names: readonly string[]; readonly current: number }) {
  return (
    <ol class="steps">
      {props.names.map((name, place) => (
        <li key={name} aria-current={place === props.current ? 'step' : undefined}>
          {name}
        </li>
      ))}
    </ol>
  )
}
