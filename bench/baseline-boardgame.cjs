// Random play of a small game in boardgame.io, for bench/rules.py: steps a second of its reducer with a growing log.
const { Client } = require('boardgame.io/client');

const TicTacToe = {
  setup: () => ({ cells: Array(25).fill(null) }),
  turn: { minMoves: 1, maxMoves: 1 },
  moves: { mark: ({ G, playerID }, cell) => { if (G.cells[cell] !== null) return 'INVALID_MOVE'; G.cells[cell] = playerID; } },
  endIf: ({ G }) => (G.cells.every((cell) => cell !== null) ? { draw: true } : undefined),
};

const seconds = Number(process.argv[2]);
let matches = 0;
let steps = 0;
const clock = () => { const { user, system } = process.cpuUsage(); return (user + system) / 1e6; }; // of the processor
const begun = clock();
while (clock() - begun < seconds) {
  const client = Client({ game: TicTacToe, debug: false });
  client.start();
  while (!client.getState().ctx.gameover) {
    const { cells } = client.getState().G;
    const free = cells.flatMap((cell, index) => (cell === null ? [index] : []));
    client.moves.mark(free[Math.floor(Math.random() * free.length)]);
    steps += 1;
  }
  client.stop();
  matches += 1;
}
const spent = clock() - begun;
console.log(JSON.stringify({ engine: 'boardgame.io', game: 'marks on 25 cells', matches: matches / spent, steps: steps / spent }));
