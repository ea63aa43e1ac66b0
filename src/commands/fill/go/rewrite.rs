//! The tree of a template, changed so that what is not defined is noticed wherever it is asked for.

use super::marked::Marked;
use super::names::{AND, CONDITION, DEFAULT_OF_ENVIRONMENT, FIELD, INCLUDE, ITEMS, OR, OUTPUT, UNKNOWN};
use gotmpl::parse::{ActionNode, BranchNode, CommandNode, Expr, ListNode, Node, Number, PipeNode, Pos, SmolStr};
use std::collections::BTreeSet;
use std::sync::Arc;

/// Goes through trees.
#[derive(Debug)]
pub struct Rewriter<'a> {
    /// The template at hand; `None` for another file, whose tags nobody shows.
    pub marked: Option<&'a Marked>,
    /// What the template itself defines.
    pub own: &'a BTreeSet<String>,
    /// Every function that is called.
    pub called: BTreeSet<String>,
}

impl Rewriter<'_> {
    /// A tree, with what is inside of it.
    pub fn list(&mut self, list: ListNode) -> ListNode {
        ListNode { pos: list.pos, nodes: list.nodes.into_iter().map(|node| self.node(node)).collect() }
    }

    fn node(&mut self, node: Node) -> Node {
        match node {
            Node::List(list) => Node::List(self.list(list)),
            Node::Action(action) => {
                let mut pipe = self.pipe(action.pipe);
                if pipe.decl.is_empty() {
                    self.ends_with(&mut pipe, OUTPUT, action.pos);
                }
                Node::Action(ActionNode { pos: action.pos, pipe })
            }
            Node::If(branch) => Node::If(self.branch(branch, CONDITION)),
            Node::With(branch) => Node::With(self.branch(branch, CONDITION)),
            Node::Range(branch) => Node::Range(self.branch(branch, ITEMS)),
            Node::Template(mut template) if self.own.contains(template.name.as_str()) => {
                template.pipe = template.pipe.map(|pipe| self.pipe(pipe));
                Node::Template(template)
            }
            // One that lies beside this template, or nowhere.
            Node::Template(template) => {
                let pos = template.pos;
                let dot = template.pipe.map_or(Expr::Nil(pos), |pipe| Expr::Pipe(pos, self.pipe(pipe)));
                let name = Expr::String(pos, Arc::from(template.name.as_str()));
                let mut pipe = pipe_of(pos, vec![self.call(pos, INCLUDE), name, dot]);
                self.ends_with(&mut pipe, OUTPUT, pos);
                Node::Action(ActionNode { pos, pipe })
            }
            Node::Text(_) | Node::Define(_) | Node::Break(_) | Node::Continue(_) => node,
        }
    }

    fn branch(&mut self, branch: BranchNode, function: &str) -> BranchNode {
        let mut pipe = self.pipe(branch.pipe);
        self.ends_with(&mut pipe, function, branch.pos);
        BranchNode {
            pos: branch.pos,
            pipe,
            body: self.list(branch.body),
            else_body: branch.else_body.map(|body| self.list(body)),
        }
    }

    /// Gives what a pipeline ends with to a function, with the number of its tag.
    fn ends_with(&mut self, pipe: &mut PipeNode, function: &str, pos: Pos) {
        let tag = self.marked.map_or(-1, |marked| i64::try_from(marked.tag_at(pos.offset)).unwrap_or(-1));
        let args = vec![self.call(pos, function), Expr::Number(pos, Number::Int(tag))];
        pipe.commands.push(CommandNode { pos, args });
    }

    fn pipe(&mut self, pipe: PipeNode) -> PipeNode {
        let commands = pipe.commands.into_iter().enumerate();
        let commands = commands.map(|(place, command)| self.command(command, place > 0)).collect();
        PipeNode { commands, ..pipe }
    }

    fn command(&mut self, command: CommandNode, is_piped: bool) -> CommandNode {
        let pos = command.pos;
        let takes_arguments = is_piped || command.args.len() > 1;
        let is_environment = matches!(command.args.get(1), Some(Expr::Field(_, names)) if names.first().is_some_and(|name| name == "Env"));
        let count = command.args.len();
        let mut args = command.args.into_iter();
        let first = match args.next() {
            Some(Expr::Identifier(pos, name)) => match name.as_str() {
                "and" => self.call(pos, AND),
                "or" => self.call(pos, OR),
                // dockerize gives the value first.
                "default" if is_environment && count == 3 => self.call(pos, DEFAULT_OF_ENVIRONMENT),
                name => self.call(pos, name),
            },
            // `strings.ToUpper x`
            Some(Expr::Chain(pos, inner, names)) if matches!(*inner, Expr::Identifier(..)) => {
                let Expr::Identifier(_, space) = *inner else { return CommandNode { pos, args: Vec::new() } };
                let parts: Vec<&str> =
                    std::iter::once(space.as_str()).chain(names.iter().map(SmolStr::as_str)).collect();
                self.call(pos, &parts.join("."))
            }
            // `.Files.Get "x"`: what only its tool has.
            Some(_) if takes_arguments => self.call(pos, UNKNOWN),
            Some(first) => self.expression(first),
            None => Expr::Nil(pos),
        };
        let args = std::iter::once(first).chain(args.map(|argument| self.expression(argument))).collect();
        CommandNode { pos, args }
    }

    fn expression(&mut self, expression: Expr) -> Expr {
        match expression {
            Expr::Field(pos, names) => self.field(pos, Expr::Dot(pos), names),
            Expr::Variable(pos, name, names) if !names.is_empty() => {
                self.field(pos, Expr::Variable(pos, name, Vec::new()), names)
            }
            Expr::Chain(pos, inner, names) => {
                let inner = self.expression(*inner);
                self.field(pos, inner, names)
            }
            Expr::Pipe(pos, pipe) => Expr::Pipe(pos, self.pipe(pipe)),
            Expr::Identifier(pos, name) => self.call(pos, &name),
            other => other,
        }
    }

    fn field(&mut self, pos: Pos, base: Expr, names: Vec<SmolStr>) -> Expr {
        let names = names.into_iter().map(|name| Expr::String(pos, Arc::from(name.as_str())));
        let args = [self.call(pos, FIELD), base].into_iter().chain(names).collect();
        Expr::Pipe(pos, pipe_of(pos, args))
    }

    fn call(&mut self, pos: Pos, name: &str) -> Expr {
        self.called.insert(name.to_owned());
        Expr::Identifier(pos, SmolStr::new(name))
    }
}

fn pipe_of(pos: Pos, args: Vec<Expr>) -> PipeNode {
    PipeNode { pos, decl: Vec::new(), commands: vec![CommandNode { pos, args }], is_assign: false }
}
