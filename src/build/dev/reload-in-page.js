// Part of every page of a development build: reloads it after each build.
// It asks by import(): the pages' policy forbids fetches from another port, but scripts pass their
// nonce on to imports. So development needs no weaker policy than production.
/* global RELOAD_PORT */
const runner = `${location.protocol}//${location.hostname}:${RELOAD_PORT}`
const retryMs = 2000

async function watchBuilds() {
  let known = ''
  for (let turn = 0; ; turn += 1) {
    const answer = await import(`${runner}/${known}?turn=${turn}`).catch(() => null)
    if (!answer) await new Promise((resolve) => setTimeout(resolve, retryMs))
    else if (known !== '' && answer.build !== known) return location.reload()
    else known = answer.build
  }
}

void watchBuilds()
