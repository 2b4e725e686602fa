import path from 'node:path'
import { buildSync } from 'esbuild'

/**
 * The styles of the whole product for shadow trees, in which nothing of the site applies.
 * @param root the package's folder
 */
export function productStyle(root: string): string {
  const built = buildSync({
    stdin: {
      contents: ['app', 'visitors', 'viewer']
        .map((name) => `@import './${name}.css'${name === 'app' ? '' : ' layer(components)'};`)
        .join('\n'),
      resolveDir: path.join(root, 'src/web/css'),
      loader: 'css',
    },
    bundle: true,
    minify: true,
    target: 'es2022',
    write: false,
  })
  return forShadowTrees(withShownStates(built.outputFiles[0]!.text))
}

/** States of the pointer and the keyboard, and the classes that show them at rest. */
const states = [
  [/(?<!\(hover):hover\b/g, ':hover', '.is-hover'],
  [/:active\b/g, ':active', '.is-active'],
  [/:focus-visible\b/g, ':focus-visible', '.is-focus'],
  [/:focus-within\b/g, ':focus-within', '.is-focus'],
  [/:focus\b(?!-)/g, ':focus', '.is-focus'],
  [/:popover-open\b/g, ':popover-open', '.is-open'],
] as const

/** Lets a class show each state. It is as specific as the state itself. */
function withShownStates(css: string): string {
  return states.reduce(
    (text, [pattern, state, shown]) => text.replaceAll(pattern, `:is(${state},${shown})`),
    css,
  )
}

/** Shadow trees have a host instead of a root, and `.page` for their body. */
function forShadowTrees(css: string): string {
  return css
    .replaceAll(/:root\[([^\]]*)\]/g, ':host([$1])')
    .replaceAll(':root', ':host')
    .replaceAll(/(?<![\w.#-])body(?=[{,:.])/g, '.page')
}
